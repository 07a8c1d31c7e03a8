/** One data object: what is in it, entry by entry. */
import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Data } from '../../../contract/data.ts';
import { parseDataJson } from '../../../formats/data-json.ts';
import { describeData } from '../../../formats/describe-data.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { formatBytes, formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useCanDelete, useDelete } from '../../ui/use-delete.ts';
import classes from './data.module.css';
import { dataContentQueryOptions, dataKeys, dataQueryOptions } from './queries.ts';

export function DataPage({
  client,
  data: loaded,
  onGone,
}: {
  client: Client;
  data: Data;
  onGone: () => void;
}) {
  const data = useQuery({ ...dataQueryOptions(client, loaded.short_id), initialData: loaded }).data;
  const content = useQuery(dataContentQueryOptions(client, data.short_id, data.version));
  const remove = useDelete(client);
  const canDelete = useCanDelete(client);
  usePageTitle(data.name);
  const facts = [
    data.fmt,
    ...(data.size === undefined ? [] : [formatBytes(data.size)]),
    ...(data.version === undefined ? [] : [`v${data.version}`]),
    <span key="when">
      updated <RelativeTime date={data.updated_at} />
    </span>,
  ];
  return (
    <>
      <PageHead
        title={data.name}
        id={data.short_id}
        facts={facts}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.6} />}
              disabled={typeof content.data !== 'string'}
              onClick={() => saveFile(data.name, 'application/octet-stream', content.data ?? '')}
            >
              Download
            </Button>
            {canDelete && (
              <Button
                variant="default"
                leftSection={<IconTrash size={16} stroke={1.6} />}
                onClick={() =>
                  void remove({
                    ids: [data.short_id],
                    words: `${data.name} deleted.`,
                    queryKeys: [dataKeys.all],
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
      {data.description !== '' && <p className={classes.description}>{data.description}</p>}
      {content.isPending && <PageSkeleton />}
      {content.isError && <QueryProblem query={content} what="The content" />}
      {content.data === null && (
        <p className={classes.description}>
          This file is too large or no text: it can only be downloaded.
        </p>
      )}
      {typeof content.data === 'string' && <Preview fmt={data.fmt} text={content.data} />}
    </>
  );
}

/** Characters of raw text shown. */
const shownCharacters = 20_000;

function Preview({ fmt, text }: { fmt: string; text: string }) {
  const parsed = useMemo(() => (fmt === 'json' ? parseDataJson(text) : null), [fmt, text]);
  const entries = useMemo(() => (parsed?.ok ? describeData(parsed.value.value) : []), [parsed]);
  return (
    <>
      {entries.length > 0 && (
        <div className={classes.card}>
          <table className={classes.entries} aria-label="Entries">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Is</th>
                <th scope="col" data-number>
                  Values
                </th>
                <th scope="col" data-number>
                  From
                </th>
                <th scope="col" data-number>
                  To
                </th>
                <th scope="col" data-number>
                  Missing
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.name}>
                  <th scope="row">
                    <code>{entry.name}</code>
                  </th>
                  <td>
                    <code>{entry.text}</code>
                  </td>
                  <td data-number>{formatCount(entry.count)}</td>
                  <td data-number>{plain(entry.min)}</td>
                  <td data-number>{plain(entry.max)}</td>
                  <td data-number>{formatCount(entry.missing)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {parsed?.ok === false && <p className={classes.problem}>{parsed.error.message}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className={classes.text} tabIndex={0} aria-label="Text of the file">
        {text.slice(0, shownCharacters)}
        {text.length > shownCharacters && '\n…'}
      </pre>
    </>
  );
}

function plain(value: number | null): string {
  return value === null ? '–' : String(value).replace('-', '−');
}
