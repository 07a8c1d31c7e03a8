/** Saves an entire list as CSV; shows its progress, and a second press cancels it. */
import { Button } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListQuery } from '../../../contract/objects.ts';
import type { EntryOf } from '../../objects/object-queries.ts';
import { useAction } from '../../objects/use-action.ts';
import { importWithRetry } from '../../ui/import-with-retry.ts';
import { formatCount } from '../../ui/numbers.ts';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';
import { mostExported } from './use-object-list.ts';

export interface ExportButtonProps<K extends ObjectKind> {
  readonly kind: K;
  /** Without its extension. */
  readonly fileName: string;
  readonly filters: Partial<Omit<ListQuery, 'object_type'>>;
  /** Filters rows that the server could not filter. */
  readonly keep?: (row: EntryOf<K>) => boolean;
}

export function ExportButton<K extends ObjectKind>(props: ExportButtonProps<K>) {
  const { kind, fileName, filters, keep } = props;
  const [progress, setProgress] = useState('');
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const { run, isBusy: isOn } = useAction(
    async (client) => {
      const { signal } = (running.current = new AbortController());
      setProgress('Reading the list');
      const onProgress = (done: number, total: number) =>
        setProgress(`${formatCount(done)} of ${formatCount(total)} read`);
      // few users need the file, and a list is often the first page shown
      const [{ exportRows }, { listCsv }] = await importWithRetry(() =>
        Promise.all([import('./export-list.ts'), import('./list-csv.ts')]),
      );
      const { rows, total } = await exportRows(client, { kind, filters, onProgress, signal });
      if (signal.aborted) return;
      const kept = keep === undefined ? rows : rows.filter(keep);
      saveFile(`${fileName}.csv`, 'text/csv', listCsv(kind, kept));
      if (total > mostExported) {
        const message = `Saved the first ${formatCount(mostExported)} of ${formatCount(total)}. Filter the list to save the rest.`;
        showToast({ message });
      }
    },
    { failed: 'Not saved' },
  );
  const Icon = isOn ? IconX : IconDownload;
  return (
    <>
      <span role="status" className="visually-hidden">
        {isOn && progress}
      </span>
      <Button
        variant="subtle"
        color="gray"
        visibleFrom="sm"
        leftSection={<Icon size={16} />}
        title={isOn ? 'Stop the export' : 'Save the list as CSV'}
        onClick={() => (isOn ? running.current?.abort() : void run())}
      >
        {isOn ? progress : 'Export list'}
      </Button>
    </>
  );
}
