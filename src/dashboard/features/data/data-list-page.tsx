/** All data objects; new ones by dropping files or pasting text. */
import { Button, Modal, Textarea, TextInput } from '@mantine/core';
import { IconClipboard, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type DragEvent, useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { ObjectListPage, type ObjectListSearch } from '../live/object-list-page.tsx';
import classes from './data.module.css';
import { dataKeys } from './queries.ts';

export interface DataListPageProps {
  readonly client: Client;
  readonly search: ObjectListSearch;
  readonly onSearchChange: (change: Partial<ObjectListSearch>) => void;
  readonly onOpen: (id: string) => void;
}

const columns: readonly ListColumn<Data>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    sortKey: 'name',
    cell: (row) => (
      <Link to="/data/$dataId" params={{ dataId: row.short_id }} title={row.name}>
        {row.name}
      </Link>
    ),
  },
  { key: 'fmt', title: 'Format', phone: 'below', cell: (row) => row.fmt },
  {
    key: 'size',
    title: 'Size',
    phone: 'below',
    align: 'right',
    cell: (row) => (row.size === undefined ? '–' : formatBytes(row.size)),
  },
  { key: 'id', title: 'Id', phone: 'hidden', cell: (row) => <code>{row.short_id}</code> },
  {
    key: 'updated',
    title: 'Updated',
    phone: 'aside',
    align: 'right',
    sortKey: 'updated',
    cell: (row) => <RelativeTime date={row.updated_at} />,
  },
];

export function DataListPage({ client, search, onSearchChange, onOpen }: DataListPageProps) {
  const queryClient = useQueryClient();
  const [pasting, setPasting] = useState(false);
  const [uploading, setUploading] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);

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
      {uploading !== null && (
        <p role="status" className={classes.uploading}>
          {uploading}
        </p>
      )}
      <ObjectListPage
        client={client}
        kind="data"
        title="Data"
        noun={['data object', 'data objects']}
        columns={columns}
        search={search}
        onSearchChange={onSearchChange}
        onOpen={onOpen}
        actions={() => buttons}
        empty={
          <EmptyState title="No data yet">
            Drop a JSON file here: one object with an entry for each name of a program’s data block.
            Models from the gallery bring theirs along.
          </EmptyState>
        }
      />
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
