/** A shared model: its tree of files, to read, copy and save, but not to change. */
import { Button } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronRight,
  IconDownload,
  IconFolder,
  IconFolderOpen,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Model } from '../../../contract/model.ts';
import {
  entranceOf,
  type FileTree,
  fileBytes,
  fileText,
  fromContent,
  listFiles,
  type PlacedFile,
} from '../../editor/file-tree.ts';
import { saveZip } from '../../editor/save-zip.ts';
import { visibleRows } from '../../editor/visible-rows.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FileIcon } from '../../ui/file-icon.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { FileText } from './file-text.tsx';
import classes from './shared-model.module.css';

export interface SharedModelProps {
  readonly model: Model;
  /** Path of the file to show; if empty or unknown, the entrance file. */
  readonly file: string;
  readonly onFile: (path: string) => void;
}

const icon = { size: 16, 'aria-hidden': true } as const;

export function SharedModel({ model, file, onFile }: SharedModelProps) {
  const name = model.name || model.short_id;
  const tree = useMemo(() => fromContent(model.content ?? { tree: [] }), [model.content]);
  const files = useMemo(() => listFiles(tree), [tree]);
  const entrance = useMemo(() => entranceOf(tree), [tree]);
  const open =
    files.find(({ path }) => path === file) ??
    files.find(({ path }) => path === entrance) ??
    files.at(0);
  return (
    <>
      <PageHead
        title={name}
        facts={[`${files.length} ${files.length === 1 ? 'file' : 'files'}`, 'frozen']}
        actions={
          open !== undefined && (
            <Button
              leftSection={<IconDownload {...icon} />}
              onClick={() => void saveZip(name, tree)}
            >
              Download zip
            </Button>
          )
        }
      />
      {model.description && <p className={classes.description}>{model.description}</p>}
      {open === undefined ? (
        <p className={classes.note}>There are no files in this model.</p>
      ) : (
        <div className={classes.model}>
          {(tree.entries.length > 1 || files.length > 1) && (
            <Tree tree={tree} openId={open.entry.id} entrance={entrance} onFile={onFile} />
          )}
          <OpenFile key={open.path} file={open} />
        </div>
      )}
    </>
  );
}

interface TreeProps {
  readonly tree: FileTree;
  readonly openId: number;
  readonly entrance: string | null;
  readonly onFile: (path: string) => void;
}

function Tree({ tree, openId, entrance, onFile }: TreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  return (
    <nav className={classes.tree} aria-label="Files">
      <ul>
        {visibleRows(tree, closed).map(({ entry, path, depth }) => {
          const isOpen = !closed.has(entry.id);
          const Chevron = isOpen ? IconChevronDown : IconChevronRight;
          const Folder = isOpen ? IconFolderOpen : IconFolder;
          return (
            <li key={entry.id} style={{ paddingLeft: depth * 16 }}>
              {entry.kind === 'folder' ? (
                <button type="button" aria-expanded={isOpen} onClick={() => toggle(entry.id)}>
                  <Chevron {...icon} size={14} />
                  <Folder {...icon} />
                  <span className={classes.name}>{entry.name}</span>
                </button>
              ) : (
                <button
                  type="button"
                  aria-current={entry.id === openId || undefined}
                  onClick={() => onFile(path)}
                >
                  <FileIcon name={entry.name} />
                  <span className={classes.name}>{entry.name}</span>
                  {path === entrance && <span className={classes.entrance}>is run</span>}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function OpenFile({ file: { entry, path } }: { file: PlacedFile }) {
  const text = fileText(entry);
  const bytes = fileBytes(entry);
  return (
    <Card className={classes.file} aria-label={path}>
      <header>
        <h2>{path}</h2>
        <span className={classes.size}>{formatBytes(bytes.length)}</span>
        {text !== null && <CopyButton variant="subtle" text={text} what={path} />}
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconDownload {...icon} size={14} />}
          aria-label={`Download ${path}`}
          onClick={() => saveFile(entry.name, 'application/octet-stream', new Uint8Array(bytes))}
        >
          Download
        </Button>
      </header>
      {text === null ? (
        <p className={classes.note}>A binary file: download it to see what it is.</p>
      ) : text === '' ? (
        <p className={classes.note}>This file is empty.</p>
      ) : (
        <FileText text={text} path={path} label={`Text of ${path}`} numbered />
      )}
    </Card>
  );
}
