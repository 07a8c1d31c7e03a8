/** One data object: what is in it, its versions, what uses it. */
import { Button, Tabs } from '@mantine/core';
import {
  IconDownload,
  IconFilePlus,
  IconPencil,
  IconRestore,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Data } from '../../../contract/data.ts';
import { objectQueryOptions } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { configQueryOptions, hasCapability } from '../../objects/server.ts';
import { runAction, useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCanDelete, useDelete } from '../../objects/use-delete.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { formatBytes } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { TabStrip } from '../../ui/tab-strip.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ContentView } from './content-view.tsx';
import classes from './data.module.css';
import { type DataFacts, DataFactsForm } from './data-facts-form.tsx';
import type { DataSearch, DataTab } from './data-search.ts';
import { dataContentQueryOptions, fetchBytes, viewVersion } from './queries.ts';
import { changeData, type DataSource, type Sending, sendVersion } from './send-data.ts';

const SourceDialog = lazyPart(() => import('./source-dialog.tsx'), 'SourceDialog');
const VersionsView = lazyPart(() => import('./versions-view.tsx'), 'default');
const UsesView = lazyPart(() => import('./uses-view.tsx'), 'default');

export interface DataPageProps {
  readonly data: Data;
  readonly search: DataSearch;
  readonly onSearchChange: (change: Partial<DataSearch>) => void;
  readonly onGone: () => void;
}

const icon = { size: 16 } as const;

export function DataPage({ data: loaded, search, onSearchChange, onGone }: DataPageProps) {
  const client = useClient();
  const data = useQuery({
    ...objectQueryOptions(client, 'data', loaded.short_id),
    initialData: loaded,
  }).data;
  const hasVersions = hasCapability(useQuery(configQueryOptions(client)).data, 'versions');
  const canDelete = useCanDelete();
  const remove = useDelete();
  const change = useChanges(data);
  const [isEditing, setIsEditing] = useState(false);
  const [isRenewing, setIsRenewing] = useState(false);
  usePageTitle(data.name);
  const isOld = hasVersions && search.version !== 0 && search.version !== data.version;
  const shownVersion = isOld ? search.version : undefined;
  const save = useAction(() => download(client, data, shownVersion), { failed: 'Not downloaded' });
  const facts = [
    data.fmt,
    ...(data.size === undefined ? [] : [formatBytes(data.size)]),
    ...(data.version === undefined ? [] : [`v${data.version}`]),
    <span key="when">
      updated <RelativeTime date={data.updated_at} />
    </span>,
  ];
  const panel = (tab: DataTab, children: ReactNode) => (
    <Tabs.Panel value={tab} className={classes.panel}>
      {search.tab === tab && <Suspense fallback={<PageSkeleton />}>{children}</Suspense>}
    </Tabs.Panel>
  );
  return (
    <>
      <PageHead
        narrow
        title={data.name}
        id={data.short_id}
        facts={facts}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconDownload {...icon} />}
              onClick={() => void save.run()}
            >
              Download
            </Button>
            <Button
              variant="default"
              leftSection={<IconPencil {...icon} />}
              onClick={() => setIsEditing(true)}
            >
              Edit
            </Button>
            <Button
              variant="default"
              leftSection={<IconFilePlus {...icon} />}
              onClick={() => setIsRenewing(true)}
            >
              New version
            </Button>
            {canDelete && (
              <Button
                variant="default"
                leftSection={<IconTrash {...icon} />}
                onClick={() =>
                  void remove({
                    ids: [data.short_id],
                    words: `${data.name} deleted.`,
                    changes: [objectKeys('data').all],
                    onDone: onGone,
                  })
                }
              >
                Delete
              </Button>
            )}
          </>
        }
      />
      {isEditing ? (
        <DataFactsForm facts={data} onSave={change.facts} onClose={() => setIsEditing(false)} />
      ) : (
        data.description !== '' && <p className={classes.description}>{data.description}</p>
      )}
      <Tabs value={search.tab} onChange={(tab) => onSearchChange({ tab: tab as DataTab })}>
        <TabStrip open={search.tab} className={classes.tabs}>
          <Tabs.Tab value="content">Content</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          <Tabs.Tab value="uses">Used by</Tabs.Tab>
        </TabStrip>
        {panel(
          'content',
          <>
            {isOld && (
              <OldVersion
                version={search.version}
                onNewest={() => onSearchChange({ version: 0 })}
                onRestore={() => void change.restore(search.version)}
              />
            )}
            <Content data={data} version={shownVersion} />
          </>,
        )}
        {panel(
          'versions',
          hasVersions ? (
            <VersionsView
              data={data}
              onView={(version) => onSearchChange({ tab: 'content', version })}
            />
          ) : (
            <p className={classes.description}>
              This server does not keep earlier versions of data.
            </p>
          ),
        )}
        {panel('uses', <UsesView data={data} />)}
      </Tabs>
      {isRenewing && (
        <Suspense>
          <SourceDialog
            title={`New version of ${data.name}`}
            kinds={['file', 'text', 'address']}
            hasName={false}
            saveText="Save as new version"
            onSave={async (_, source, sending) => {
              await change.content(source, sending);
              setIsRenewing(false);
              onSearchChange({ tab: 'content', version: 0 });
            }}
            onSaveAnyway={async (source, sending) => {
              await change.contentOnTop(source, sending);
              setIsRenewing(false);
              onSearchChange({ tab: 'content', version: 0 });
            }}
            onClose={() => setIsRenewing(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** What can be changed of a data object. `facts` and the contents reject with why nothing was changed. */
function useChanges(data: Data) {
  const client = useClient();
  const queryClient = useQueryClient();
  const { short_id: id } = data;
  const { lists, detail } = objectKeys('data');
  const take = async (saved: Data) => {
    queryClient.setQueryData(detail(id), saved);
    await queryClient.invalidateQueries({ queryKey: lists });
    return saved;
  };
  const setFacts = async ({ name, description }: DataFacts) => {
    await take(await changeData(client, id, { name, description }));
  };
  const send = async (source: DataSource, baseVersion: number | undefined, sending?: Sending) =>
    take(await sendVersion(client, { id, baseVersion }, source, sending));
  const sayWhich = ({ version }: Data) =>
    showToast({ message: version === undefined ? 'Saved.' : `Saved as v${version}.` });
  const restore = useAction(
    async (_, version: number) => {
      const old = await viewVersion(client, id, { version });
      return send({ kind: 'bytes', bytes: await fetchBytes(old.path) }, data.version);
    },
    {
      failed: 'Not restored',
      onDone: (saved, version) =>
        showToast({ message: `v${version} was restored as v${saved.version ?? '?'}.` }),
    },
  );
  return {
    facts: async (facts: DataFacts) => {
      const before = { name: data.name, description: data.description };
      await setFacts(facts);
      const undo = () => runAction(queryClient, () => setFacts(before));
      showToast({ message: 'Name and description saved.', undo });
    },
    content: async (source: DataSource, sending: Sending) =>
      sayWhich(await send(source, data.version, sending)),
    /** Whatever the newest is now. */
    contentOnTop: async (source: DataSource, sending: Sending) =>
      sayWhich(await send(source, undefined, sending)),
    restore: restore.run,
  };
}

async function download(client: Client, data: Data, version: number | undefined): Promise<void> {
  const { path } = await viewVersion(client, data.short_id, { version });
  saveFile(data.name, 'application/octet-stream', await fetchBytes(path));
}

interface OldVersionProps {
  readonly version: number;
  readonly onNewest: () => void;
  readonly onRestore: () => void;
}

function OldVersion({ version, onNewest, onRestore }: OldVersionProps) {
  return (
    <div className={classes.old} role="status">
      <span>This is v{version}, an earlier version.</span>
      <Button size="xs" variant="default" onClick={onNewest}>
        Back to the newest
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRestore size={14} />}
        onClick={onRestore}
      >
        Restore as new version
      </Button>
    </div>
  );
}

interface ContentProps {
  readonly data: Data;
  /** Undefined: the newest. */
  readonly version: number | undefined;
}

function Content({ data, version }: ContentProps) {
  const client = useClient();
  const content = useQuery(
    dataContentQueryOptions(client, data.short_id, { version, newest: data.version }),
  );
  if (content.isPending) return <PageSkeleton />;
  if (content.isError) return <QueryProblem query={content} what="The content" />;
  if (content.data === null)
    return (
      <p className={classes.description}>
        This file is too large to show here. Download it instead.
      </p>
    );
  if (content.data.length === 0) return <p className={classes.description}>The file is empty.</p>;
  return (
    <ContentView
      key={`${version ?? data.version} ${data.fmt}`}
      bytes={content.data}
      fmt={data.fmt}
    />
  );
}
