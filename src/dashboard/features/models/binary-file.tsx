/** A file that is not text: what it is, and a way to download it. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type FileEntry, fileBytes } from '../../editor/file-tree.ts';
import { formatBytes } from '../../ui/numbers.ts';
import { saveFile } from '../../ui/save-file.ts';
import classes from './files-tab.module.css';

export function BinaryFile({ file, path }: { file: FileEntry; path: string }) {
  const bytes = fileBytes(file);
  const suffix = /\.([^./]+)$/.exec(path)?.[1];
  return (
    <div className={classes.binary}>
      <p>
        <strong>{file.name}</strong>
        <br />
        {suffix === undefined ? 'Binary file' : `Binary file (${suffix})`},{' '}
        {formatBytes(bytes.length)}. It is stored unchanged.
      </p>
      <Button
        leftSection={<IconDownload size={16} />}
        onClick={() => saveFile(file.name, 'application/octet-stream', new Uint8Array(bytes))}
      >
        Download
      </Button>
    </div>
  );
}
