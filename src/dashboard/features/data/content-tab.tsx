/** The content of a data object, now or in an earlier version. */
import { Button } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Data } from '../../../contract/data.ts';
import { useClient } from '../../objects/use-client.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Note } from '../../ui/note.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { isTableName } from '../launching/data-content.ts';
import { ContentView } from './content-view.tsx';
import classes from './data.module.css';
import { dataContentQueryOptions } from './queries.ts';

const MapTable = lazyPart(() => import('./map-table.tsx'), 'MapTable');

interface ContentProps {
  readonly data: Data;
  /** Undefined: the newest. */
  readonly version: number | undefined;
}

export interface ContentTabProps extends ContentProps {
  /** Saves data mapped from this table; rejects with the reason if they were not saved. */
  readonly onMapped: (name: string, text: string) => Promise<void>;
  readonly onNewest: () => void;
  readonly onRestore: (version: number) => void;
}

export function ContentTab(props: ContentTabProps) {
  const { data, version, onNewest, onRestore, onMapped } = props;
  return (
    <>
      {version !== undefined && (
        <OldVersion version={version} onNewest={onNewest} onRestore={() => onRestore(version)} />
      )}
      <Content data={data} version={version} onMapped={onMapped} />
    </>
  );
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
      <Button size="xs" onClick={onNewest}>
        Back to the newest
      </Button>
      <Button size="xs" leftSection={<IconRestore size={14} />} onClick={onRestore}>
        Restore as new version
      </Button>
    </div>
  );
}

function Content({ data, version, onMapped }: Omit<ContentTabProps, 'onNewest' | 'onRestore'>) {
  const client = useClient();
  const content = useQuery(
    dataContentQueryOptions(client, data.short_id, { version, newest: data.version }),
  );
  if (content.isPending) return <PageSkeleton />;
  if (content.isError) return <QueryProblem query={content} what="The content" />;
  if (content.data === null)
    return <Note gap="around">This file is too large to show here. Download it instead.</Note>;
  if (content.data.length === 0) return <Note gap="around">The file is empty.</Note>;
  const key = `${version ?? data.version} ${data.fmt}`;
  // A table in another encoding is raw bytes to the server, which no program receives.
  const isTable = data.fmt === 'raw' && isTableName(data.name);
  return (
    <>
      {data.fmt !== 'json' && (
        <MapTable key={key} data={data} bytes={content.data} onSave={onMapped} />
      )}
      <ContentView key={key} bytes={content.data} fmt={isTable ? 'csv' : data.fmt} />
    </>
  );
}
