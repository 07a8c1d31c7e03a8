/** Uploads that an earlier page began and nobody continued. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatBytesOf } from '../../../shared/byte-counts.ts';
import { useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { Note } from '../../ui/note.tsx';

const key = ['unfinished-uploads'];

export function UnfinishedUploads() {
  const client = useClient();
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.listUploads({ signal }),
    gcTime: 0,
  }).data;
  const discard = useAction(
    async (caller, ids: readonly string[]) => {
      for (const id of ids) await caller.deleteUpload({ params: { upload_id: id } });
    },
    { failed: 'Not discarded', changes: [key] },
  );
  if (found === undefined || found.length === 0) return null;
  const names = found.map(({ name, offset, size }) => `${name} (${formatBytesOf(offset, size)})`);
  return (
    <Note>
      Uploaded earlier: {names.slice(0, 3).join(', ')}
      {names.length > 3 && ` and ${names.length - 3} more`}. Choose the same files again to continue
      there.{' '}
      <Button
        size="compact-xs"
        loading={discard.isBusy}
        onClick={() => void discard.run(found.map(({ upload_id: id }) => id))}
      >
        Discard
      </Button>
    </Note>
  );
}
