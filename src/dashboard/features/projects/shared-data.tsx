/** Data as a project shared them: their content, to read and to save. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Data } from '../../../contract/data.ts';
import { decodeText } from '../../../formats/decode-text.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/note.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { saveFile } from '../../ui/save-file.ts';
import classes from './shared-data.module.css';

/** Characters that are shown; the file has all. */
const mostShown = 200_000;

export function SharedData({ data, shareId }: { readonly data: Data; readonly shareId: string }) {
  const { name, short_id: id, fmt, size, version, description, path } = data;
  const content = useQuery({
    queryKey: objectKeys('data').part(id, ['content'], shareId),
    queryFn: async ({ signal }) => {
      const response = await fetch(path, { signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <>
      <PageHead
        narrow
        title={name}
        facts={[
          fmt,
          ...(size === undefined ? [] : [formatBytes(size)]),
          ...(version === undefined ? [] : [`v${version}`]),
          'frozen',
        ]}
        actions={
          <Button
            leftSection={<IconDownload size={16} />}
            disabled={content.data === undefined}
            onClick={() => content.data && saveFile(name, 'application/octet-stream', content.data)}
          >
            Download
          </Button>
        }
      />
      {description !== '' && <Note gap="around">{description}</Note>}
      {content.isPending && <PageSkeleton />}
      {content.isError && (
        <Note gap="around" role="alert">
          The data could not be loaded. Reload the page: file addresses expire after an hour.
        </Note>
      )}
      {content.isSuccess && <Content bytes={content.data} />}
    </>
  );
}

function Content({ bytes }: { readonly bytes: Uint8Array }) {
  const text = decodeText(bytes)?.text ?? null;
  if (text === null) return <Note gap="around">A binary file: download it to see what it is.</Note>;
  return (
    <>
      <Card className={classes.card}>
        {/* a scrolling region must be reachable by keyboard */}
        <pre className={classes.text} tabIndex={0} aria-label="Content">
          {text.slice(0, mostShown)}
        </pre>
      </Card>
      {text.length > mostShown && (
        <Note gap="above">Only the beginning is shown; the download has all of it.</Note>
      )}
    </>
  );
}
