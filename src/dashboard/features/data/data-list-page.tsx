/** All data objects; new ones by dropping files or pasting text. */
import { Button, Modal, Textarea, TextInput } from '@mantine/core';
import { IconClipboard, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type DragEvent, useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable, Pager } from '../../ui/list-table.tsx';
import { ListTools } from '../../ui/list-tools.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useCanDelete, useDelete } from '../../ui/use-delete.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { objectListQueryOptions, pageSize } from '../live/object-list.ts';
import classes from './data.module.css';
import { dataKeys } from './queries.ts';

export interface DataListSearch {
  readonly q: string;
  readonly page: number;
}

export interface DataListPageProps {
  readonly client: Client;
  readonly search: DataListSearch;
  readonly onSearchChange: (change: Partial<DataListSearch>) => void;
  readonly onOpen: (id: string) => void;
}

const columns: readonly ListColumn<Data>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    cell: (row) => (
      <Link to="/data/$dataId" params={{ dataId: row.short_id }} title={row.name}>
        {row.name}
      </Link>
    ),
  },
  { key: 'fmt', title: 'Format', phone: 'aside', cell: (row) => row.fmt },
  {
    key: 'size',
    title: 'Size',
    phone: 'hidden',
    align: 'right',
    cell: (row) => (row.size === undefined ? '–' : formatBytes(row.size)),
  },
  { key: 'id', title: 'Id', phone: 'hidden', cell: (row) => <code>{row.short_id}</code> },
  {
    key: 'updated',
    title: 'Updated',
    phone: 'below',
    align: 'right',
    cell: (row) => <RelativeTime date={row.updated_at} />,
  },
];

export function DataListPage({ client, search, onSearchChange, onOpen }: DataListPageProps) {
  const queryClient = useQueryClient();
  const list = useQuery(
    objectListQueryOptions(client, 'data', { q: search.q, page_no: search.page }),
  );
  const remove = useDelete(client);
  const canDelete = useCanDelete(client);
  const [pasting, setPasting] = useState(false);
  const [uploading, setUploading] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const clear = () => onSearchChange({ q: '', page: 1 });

  const upload = async (files: readonly File[]) => {
    let last: string | null = null;
    try {
      for (const [index, file] of files.entries()) {
        setUploading(`Uploading ${file.name}, ${index + 1} of ${files.length}`);
        const data = base64Of(new Uint8Array(await file.arrayBuffer()));
        const answer = await client.createObject({
          body: { payload: { object_type: 'data', name: file.name, data, base64_encoded: true } },
        });
        last = expectKind(answer, 'data').short_id;
      }
    } catch (error) {
      showToast({ message: `Not uploaded: ${ApiError.from(error).message}`, tone: 'bad' });
    }
    setUploading(null);
    await queryClient.invalidateQueries({ queryKey: dataKeys.all });
    if (files.length === 1 && last !== null) onOpen(last);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const files = Array.from(event.dataTransfer.files);
    if (files.length > 0) void upload(files);
  };
  const buttons = (
    <>
      <Button
        variant="default"
        leftSection={<IconClipboard size={16} stroke={1.6} />}
        onClick={() => setPasting(true)}
      >
        Paste text
      </Button>
      <Button
        leftSection={<IconUpload size={16} stroke={1.6} />}
        onClick={() => input.current?.click()}
      >
        Upload files
      </Button>
    </>
  );
  return (
    <section
      aria-label="Data"
      className={classes.dropTarget}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => {
          void upload(Array.from(event.currentTarget.files ?? []));
          event.currentTarget.value = '';
        }}
      />
      <PageHead title="Data" actions={buttons} />
      {uploading !== null && (
        <p role="status" className={classes.uploading}>
          {uploading}
        </p>
      )}
      {(search.q !== '' || (list.data?.total ?? 0) > 0) && (
        <ListTools
          label="Search names and ids"
          search={search.q}
          onSearch={(q) => onSearchChange({ q, page: 1 })}
        />
      )}
      {list.isPending && <PageSkeleton />}
      {list.isError && <QueryProblem query={list} what="The list" />}
      {list.data?.total === 0 &&
        (search.q !== '' ? (
          <EmptyState
            title="Nothing matches the filter"
            action={
              <Button variant="default" onClick={clear}>
                Clear the filter
              </Button>
            }
          >
            No data is called “{search.q}”.
          </EmptyState>
        ) : (
          <EmptyState title="No data yet">
            Drop a JSON file here: one object with an entry for each name of a program’s data block.
            Models from the gallery bring theirs along.
          </EmptyState>
        ))}
      {list.data !== undefined && list.data.objects.length > 0 && (
        <>
          <ListTable
            label="Data"
            rows={list.data.objects}
            columns={columns}
            idOf={(row) => row.short_id}
            nameOf={(row) => row.name}
            canSelect={canDelete}
            selectionActions={(rows, done) => (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={14} stroke={1.6} />}
                onClick={() =>
                  void remove({
                    ids: rows.map((row) => row.short_id),
                    words:
                      rows.length === 1
                        ? `${rows[0].name} deleted.`
                        : `${rows.length} data objects deleted.`,
                    queryKeys: [dataKeys.all],
                    then: done,
                  })
                }
              >
                Delete
              </Button>
            )}
          />
          <Pager
            page={search.page}
            pageSize={pageSize}
            total={list.data.total}
            onPage={(page) => onSearchChange({ page })}
          />
        </>
      )}
      {pasting && (
        <PasteDialog
          client={client}
          onClose={() => setPasting(false)}
          onMade={async (id) => {
            setPasting(false);
            await queryClient.invalidateQueries({ queryKey: dataKeys.all });
            onOpen(id);
          }}
        />
      )}
    </section>
  );
}

interface PasteDialogProps {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onMade: (id: string) => Promise<void>;
}

function PasteDialog({ client, onClose, onMade }: PasteDialogProps) {
  useReturnFocus();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    try {
      const answer = await client.createObject({
        body: { payload: { object_type: 'data', name: name.trim(), data: text } },
      });
      await onMade(expectKind(answer, 'data').short_id);
    } catch (error) {
      setProblem(ApiError.from(error).message);
    }
  };
  return (
    <Modal opened onClose={onClose} title="Paste data" size={560}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextInput
          label="Name"
          placeholder="schools.json"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          mt={12}
          label="Text"
          description="JSON as Stan reads it, or CSV."
          required
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {problem !== null && (
          <p role="alert" className={classes.problem}>
            Not saved: {problem}
          </p>
        )}
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === '' || text === ''}>
            Save data
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Standard base64 of bytes, by pieces: a spread of millions of arguments would overflow the stack. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
