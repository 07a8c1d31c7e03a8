/** What this user has shared, what was shared with them, and opening a link. */
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Model } from '../../../contract/model.ts';
import type { Project } from '../../../contract/project.ts';
import { type Share, type ShareInfo, shareInfoSchema } from '../../../contract/share.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { useCapability } from '../../objects/use-config.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Form } from '../../ui/form.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { linkColumn, textColumn } from '../lists/list-columns.tsx';
import type { ObjectListSearch } from '../lists/list-props.ts';
import { ObjectList } from '../lists/object-list-page.tsx';
import { statusColumn } from '../status/run-columns.tsx';
import { useRevoke } from './revoke.tsx';
import { endText, kindColumn, objectColumn, shareColumns, whoColumn } from './share-columns.tsx';
import { type SharedKind, sharedKinds } from './shares-search.ts';
import classes from './sharing.module.css';

const ChangeShare = lazyPart(() => import('./change-share.tsx'), 'ChangeShare');

export interface SharesSearch extends ObjectListSearch {
  readonly tab: 'by-me' | 'with-me';
  readonly kind: SharedKind;
}

export interface SharesPageProps {
  readonly search: SharesSearch;
  readonly onSearchChange: (change: Partial<SharesSearch>) => void;
  readonly onOpen: (path: string) => void;
}

export function SharesPage(props: SharesPageProps) {
  const { search, onSearchChange, onOpen } = props;
  return (
    <>
      <PageHead title="Shares" />
      <div className={classes.pageTools}>
        <SegmentedControl
          aria-label="Whose"
          value={search.tab}
          onChange={(value) =>
            onSearchChange({ tab: value as SharesSearch['tab'], q: '', page: 1 })
          }
          data={[
            { value: 'by-me', label: 'Shared by me' },
            { value: 'with-me', label: 'Shared with me' },
          ]}
        />
        <OpenLink onOpen={onOpen} />
      </div>
      {search.tab === 'by-me' ? <SharedByMe {...props} /> : <SharedWithMe {...props} />}
    </>
  );
}

function SharedByMe({ search, onSearchChange }: SharesPageProps) {
  const [changed, setChanged] = useState<Share | null>(null);
  const onRevoke = useRevoke();
  const inPlace = useCapability('share_options');
  return (
    <>
      <ObjectList
        kind="share"
        title="Shared by me"
        noun={['share', 'shares']}
        search={search}
        onSearchChange={onSearchChange}
        canDelete={false}
        above={
          onRevoke === undefined && (
            <Note gap="below">This server can neither change nor revoke a share.</Note>
          )
        }
        columns={[
          objectColumn,
          kindColumn,
          whoColumn('below'),
          ...shareColumns({
            onRevoke,
            onChange: inPlace || onRevoke !== undefined ? setChanged : undefined,
          }),
        ]}
        empty={
          <EmptyState title="Nothing is shared">
            Open an experiment, a model or a workflow and press Share to make a link to a snapshot
            of it, with a password if you like.
          </EmptyState>
        }
      />
      {changed !== null && (
        <ChangeShare share={changed} inPlace={inPlace} onClose={() => setChanged(null)} />
      )}
    </>
  );
}

type Foreign = Experiment | Model | Workflow | Project;

const foreignColumns: readonly ListColumn<Foreign>[] = [
  linkColumn('Name', addressOf),
  textColumn({
    key: 'owner',
    title: 'From',
    phone: 'below',
    text: (row) => newestShare(row)?.from_user || row.owner,
  }),
  {
    key: 'since',
    title: 'Since',
    phone: 'below',
    cell: (row) => <RelativeTime date={newestShare(row)?.created_at} />,
  },
  {
    key: 'until',
    title: 'Until',
    phone: 'hidden',
    cell: (row) => endText(newestShare(row)?.expires_at),
  },
];

/** The share through which the row is visible. */
function newestShare({ share_info }: Foreign): ShareInfo | undefined {
  const read = shareInfoSchema.safeParse(share_info?.at(0));
  return read.success ? read.data : undefined;
}

const foreignStatus: ListColumn<Foreign> = {
  ...statusColumn,
  sortKey: undefined,
  cell: (row) => row.object_type === 'experiment' && statusColumn.cell(row),
};

/** The snapshot, if the share is known. */
function addressOf(row: Foreign): string {
  const { short_id: id, object_type: kind } = row;
  const share = newestShare(row);
  return share === undefined ? `/${kind}s/${id}` : `/s/${id}/${share.short_id}`;
}

const kindText: Readonly<Record<SharedKind, string>> = {
  experiment: 'Experiments',
  model: 'Models',
  workflow: 'Workflows',
  project: 'Projects',
};

function SharedWithMe({ search, onSearchChange }: SharesPageProps) {
  const { kind } = search;
  const hasProjects = useCapability('projects');
  return (
    <>
      <SegmentedControl
        mt={4}
        aria-label="Kind"
        value={kind}
        onChange={(value) => onSearchChange({ kind: value as SharedKind, q: '', page: 1 })}
        data={sharedKinds
          .filter((value) => value !== 'project' || hasProjects)
          .map((value) => ({ value, label: kindText[value] }))}
      />
      <ObjectList<SharedKind>
        key={kind}
        kind={kind}
        title={`${kindText[kind]} shared with me`}
        noun={[`shared ${kind}`, `shared ${kind}s`]}
        filters={{ shared_with_me: true }}
        search={search}
        onSearchChange={onSearchChange}
        canDelete={false}
        columns={kind === 'experiment' ? [foreignStatus, ...foreignColumns] : foreignColumns}
        empty={
          <EmptyState title={`No ${kind} is shared with you`}>
            What others share with your user name appears here. To open a link you were sent, paste
            it into the box above.
          </EmptyState>
        }
      />
    </>
  );
}

const linkPattern = /\/s\/([A-Za-z0-9]{8,9})\/(S[A-Za-z0-9]{7,8})\/?(?:[?#].*)?$/;

function OpenLink({ onOpen }: { onOpen: (path: string) => void }) {
  const [text, setText] = useState('');
  const match = linkPattern.exec(text.trim());
  return (
    <Form
      className={classes.open}
      onSubmit={() => {
        if (match !== null) onOpen(`/s/${match[1]}/${match[2]}`);
      }}
    >
      <TextInput
        aria-label="Link to open"
        placeholder="Paste a link to open it"
        leftSection={<IconLink size={16} />}
        value={text}
        error={
          text !== '' && match === null
            ? 'A link ends in /s/, an id, and an id that begins with S.'
            : undefined
        }
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" disabled={match === null}>
        Open
      </Button>
    </Form>
  );
}
