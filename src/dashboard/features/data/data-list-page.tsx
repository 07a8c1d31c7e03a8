/** All data objects; new ones are added by dropping files or pasting text. */
import { Button } from '@mantine/core';
import { IconClipboard, IconFolderOpen, IconUpload, IconWorld } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import type { Data } from '../../../contract/data.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { filesOfDrop } from '../../ui/dropped-files.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FileInput } from '../../ui/file-input.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import { formatBytes, missing } from '../../ui/numbers.ts';
import {
  createdColumn,
  idColumn,
  nameColumn,
  textColumn,
  updatedColumn,
} from '../lists/list-columns.tsx';
import type { ListPageProps } from '../lists/list-props.ts';
import { ObjectListPage } from '../lists/object-list-page.tsx';
import { refuseBrokenJson } from './check-given.ts';
import classes from './data.module.css';
import { createData } from './send-data.ts';
import type { SourceKind } from './source-dialog.tsx';
import { UploadList } from './upload-list.tsx';
import { type GivenFile, useUploads } from './use-uploads.ts';

const SourceDialog = lazyPart(() => import('./source-dialog.tsx'), 'SourceDialog');

/** Files that file managers add to folders. */
const noise = /(?:^|\/)(?:\.git|__MACOSX)(?:\/|$)|(?:^|\/)\.DS_Store$/;

const columns: readonly ListColumn<Data>[] = [
  nameColumn('/data'),
  {
    key: 'fmt',
    title: 'Format',
    phone: 'below',
    sortKey: 'format',
    sortsUp: true,
    cell: (row) => row.fmt,
  },
  {
    key: 'size',
    title: 'Size',
    phone: 'below',
    align: 'right',
    sortKey: 'size',
    cell: (row) => (row.size === undefined ? missing : formatBytes(row.size)),
  },
  textColumn({
    key: 'version',
    title: 'Version',
    isExtra: true,
    sortKey: 'version',
    text: (row) => row.version && `v${row.version}`,
  }),
  { ...idColumn, wideOnly: false },
  createdColumn,
  updatedColumn,
];

export function DataListPage(props: ListPageProps) {
  const { onOpen } = props;
  const client = useClient();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<SourceKind | null>(null);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: objectKeys('data').all });
  const { uploads, start, cancel, dismiss } = useUploads(async (made, isOnly) => {
    await refresh();
    if (isOnly) onOpen(made.short_id);
  });
  const upload = (files: readonly GivenFile[]) => void start(files);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void filesOfDrop(event.dataTransfer, { noise }).then(upload);
  };
  const picked = (files: readonly File[]) =>
    upload(files.map((file) => ({ name: file.webkitRelativePath || file.name, file })));
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
      <FileInput label="Files to upload" inputRef={input} what="files" onPick={picked} />
      <FileInput label="Folder to upload" inputRef={folder} what="folder" onPick={picked} />
      <UploadList uploads={uploads} onCancel={cancel} onDismiss={dismiss} />
      <ObjectListPage
        {...props}
        kind="data"
        title="Data"
        noun={['data object', 'data objects']}
        columns={columns}
        actions={() => (
          <AddButtons
            onAsk={setAsked}
            onFiles={() => input.current?.click()}
            onFolder={() => folder.current?.click()}
          />
        )}
        empty={
          <EmptyState title="No data yet">
            Drop a JSON file here: one object with an entry for each variable of a program’s data
            block. A table (CSV, TSV, an Excel workbook) is mapped to one on its page, or where you
            run a model. Models from the gallery come with their data.
          </EmptyState>
        }
      />
      {asked !== null && (
        <SourceDialog
          title={asked === 'text' ? 'Paste data' : 'Data from an address'}
          kinds={[asked]}
          hasName
          saveText="Save data"
          onSave={async (name, source, sending) => {
            await refuseBrokenJson(name, source);
            const made = await createData(client, name, source, sending);
            setAsked(null);
            await refresh();
            onOpen(made.short_id);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

interface AddButtonsProps {
  readonly onAsk: (kind: SourceKind) => void;
  readonly onFiles: () => void;
  readonly onFolder: () => void;
}

function AddButtons({ onAsk, onFiles, onFolder }: AddButtonsProps) {
  return (
    <>
      <Button leftSection={<IconClipboard size={16} />} onClick={() => onAsk('text')}>
        Paste text
      </Button>
      <Button leftSection={<IconWorld size={16} />} onClick={() => onAsk('address')}>
        From an address
      </Button>
      <Button leftSection={<IconFolderOpen size={16} />} onClick={onFolder}>
        Upload a folder
      </Button>
      <Button variant="filled" leftSection={<IconUpload size={16} />} onClick={onFiles}>
        Upload files
      </Button>
    </>
  );
}
