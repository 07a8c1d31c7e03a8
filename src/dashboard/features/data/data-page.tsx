/** One data object: its content, its versions, what uses it. */
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Data } from '../../../contract/data.ts';
import { unlessGone } from '../../objects/gone.ts';
import { objectQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCapability } from '../../objects/use-config.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { barePart, lazyPart } from '../../ui/lazy-part.ts';
import { Note } from '../../ui/note.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { TabStrip } from '../../ui/tab-strip.tsx';
import { type GivenFile, hasMapping, identify } from '../mapper/mapping-call.ts';
import { bytesOf, refuseBrokenJson } from './check-given.ts';
import { ContentTab } from './content-tab.tsx';
import classes from './data.module.css';
import { DataFactsForm } from './data-facts-form.tsx';
import { DataHead } from './data-head.tsx';
import type { DataSearch, DataTab } from './data-search.ts';
import { dataContentQueryOptions } from './queries.ts';
import type { DataSource, Sending } from './send-data.ts';
import { type DataChanges, useDataChanges } from './use-data-changes.ts';

const SourceDialog = lazyPart(() => import('./source-dialog.tsx'), 'SourceDialog');
const MapperDialog = lazyPart(() => import('../mapper/mapper-dialog.tsx'), 'MapperDialog');
const VersionsView = barePart(() => import('./versions-view.tsx'), 'default');
const UsesView = barePart(() => import('./uses-view.tsx'), 'default');

export interface DataPageProps {
  readonly data: Data;
  readonly search: DataSearch;
  readonly onSearchChange: (change: Partial<DataSearch>) => void;
  readonly onGone: () => void;
  /** Opens another data object. */
  readonly onOpen: (id: string) => void;
}

export function DataPage(props: DataPageProps) {
  const { data: loaded, search, onSearchChange, onGone, onOpen } = props;
  const client = useClient();
  const data = unlessGone(
    useQuery({
      ...objectQueryOptions(client, 'data', loaded.short_id),
      initialData: loaded,
    }),
  ).data;
  const hasVersions = useCapability('versions');
  const change = useDataChanges(data);
  const [isEditing, setIsEditing] = useState(false);
  const [isRenewing, setIsRenewing] = useState(false);
  usePageTitle(data.name);
  const isOld = hasVersions && search.version !== 0 && search.version !== data.version;
  const version = isOld ? search.version : undefined;
  const panels: Record<DataTab, ReactNode> = {
    content: (
      <ContentTab
        data={data}
        version={version}
        onNewest={() => onSearchChange({ version: 0 })}
        onRestore={(old) => void change.restore(old)}
        onMapped={async (name, text) => onOpen((await change.saveMapped(name, text)).short_id)}
      />
    ),
    versions: hasVersions ? (
      <VersionsView
        data={data}
        onView={(old) => onSearchChange({ tab: 'content', version: old })}
      />
    ) : (
      <Note gap="around">This server does not keep earlier versions of data.</Note>
    ),
    uses: <UsesView data={data} />,
  };
  return (
    <>
      <DataHead
        data={data}
        version={version}
        onEdit={() => setIsEditing(true)}
        onNewVersion={() => setIsRenewing(true)}
        onGone={onGone}
      />
      {isEditing ? (
        <DataFactsForm facts={data} onSave={change.facts} onClose={() => setIsEditing(false)} />
      ) : (
        data.description !== '' && <Note gap="around">{data.description}</Note>
      )}
      <DataTabs open={search.tab} panels={panels} onOpen={(tab) => onSearchChange({ tab })} />
      {isRenewing && (
        <NewVersion
          data={data}
          change={change}
          onSaved={() => onSearchChange({ tab: 'content', version: 0 })}
          onClose={() => setIsRenewing(false)}
        />
      )}
    </>
  );
}

interface DataTabsProps {
  readonly open: DataTab;
  readonly panels: Record<DataTab, ReactNode>;
  readonly onOpen: (tab: DataTab) => void;
}

const tabs: readonly (readonly [DataTab, string])[] = [
  ['content', 'Content'],
  ['versions', 'Versions'],
  ['uses', 'Used by'],
];

function DataTabs({ open, panels, onOpen }: DataTabsProps) {
  return (
    <Tabs value={open} onChange={(tab) => onOpen(tab as DataTab)}>
      <TabStrip open={open} className={classes.tabs}>
        {tabs.map(([tab, label]) => (
          <Tabs.Tab key={tab} value={tab}>
            {label}
          </Tabs.Tab>
        ))}
      </TabStrip>
      {tabs.map(([tab]) => (
        <Tabs.Panel key={tab} value={tab} className={classes.panel}>
          {open === tab && <Suspense fallback={<PageSkeleton />}>{panels[tab]}</Suspense>}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface NewVersionProps {
  readonly data: Data;
  readonly change: DataChanges;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Data mapped from a table accept another table with the same mapping. */
function NewVersion({ data, change, onSaved, onClose }: NewVersionProps) {
  const mappedText = useMappedText(data);
  const [table, setTable] = useState<GivenFile | null>(null);
  const saved = () => {
    onClose();
    onSaved();
  };
  const save = async (name: string, source: DataSource, sending: Sending) => {
    const bytes = bytesOf(source);
    const isTable =
      mappedText !== null && bytes !== null && (await identify({ name, bytes })).kind === 'table';
    if (isTable) return setTable({ name: name || 'pasted table', bytes });
    await refuseBrokenJson(name, source);
    await change.content(source, sending);
    saved();
  };
  if (table !== null)
    return (
      <MapperDialog
        {...table}
        service={null}
        earlierText={mappedText}
        saveText="Save as new version"
        onSave={(_, text) => change.content({ kind: 'text', text }, {}).then(saved)}
        onClose={onClose}
      />
    );
  return (
    <SourceDialog
      title={`New version of ${data.name}`}
      kinds={['file', 'text', 'address']}
      hasName={false}
      note={
        mappedText === null
          ? undefined
          : 'These data were mapped from a table. Choose another table to apply the same mapping to it.'
      }
      saveText="Save as new version"
      onSave={save}
      onSaveAnyway={(source, sending) => change.contentOnTop(source, sending).then(saved)}
      onClose={onClose}
    />
  );
}

/** Text of data that have a mapping; null: they have none, or are too large to read. */
function useMappedText({ short_id: id, version, fmt }: Data): string | null {
  const client = useClient();
  const content = useQuery({
    ...dataContentQueryOptions(client, id, { version: undefined, newest: version }),
    enabled: fmt === 'json',
  });
  const [text, setText] = useState<string | null>(null);
  const bytes = content.data ?? null;
  useEffect(() => {
    let isOld = false;
    const read = bytes === null ? '' : new TextDecoder().decode(bytes);
    hasMapping(read).then(
      (has) => !isOld && setText(has ? read : null),
      () => undefined,
    );
    return () => {
      isOld = true;
    };
  }, [bytes]);
  return text;
}
