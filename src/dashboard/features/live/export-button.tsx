/** Saves a whole list as CSV; says how far it is, and a second press ends it. */
import { Button } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListQuery } from '../../../contract/objects.ts';
import type { EntryOf } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { formatCount } from '../../ui/numbers.ts';
import { patiently } from '../../ui/patient-import.ts';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';

export interface ExportButtonProps<K extends ObjectKind> {
  readonly kind: K;
  /** Without its ending. */
  readonly fileName: string;
  readonly filters: Partial<Omit<ListQuery, 'object_type'>>;
  /** What the server could not narrow for us. */
  readonly keep?: (row: EntryOf<K>) => boolean;
}

export function ExportButton<K extends ObjectKind>(props: ExportButtonProps<K>) {
  const client = useClient();
  const { kind, fileName, filters, keep } = props;
  const [progress, setProgress] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const save = async () => {
    const { signal } = (running.current = new AbortController());
    setProgress('Reading the list');
    const onProgress = (done: number, total: number) =>
      setProgress(`${formatCount(done)} of ${formatCount(total)} read`);
    try {
      // few ever ask for the file, and every list is a first view
      const [{ exportRows, mostExported }, { listCsv }] = await patiently(() =>
        Promise.all([import('./export-list.ts'), import('./list-csv.ts')]),
      );
      const { rows, total } = await exportRows(client, { kind, filters, onProgress, signal });
      if (signal.aborted) return;
      const kept = keep === undefined ? rows : rows.filter(keep);
      saveFile(`${fileName}.csv`, 'text/csv', listCsv(kind, kept));
      if (total > mostExported) {
        const words = `Saved the first ${formatCount(mostExported)} of ${formatCount(total)}. Narrow the list for the others.`;
        showToast({ message: words });
      }
    } catch (error) {
      if (!signal.aborted)
        showToast({ message: `Not saved: ${ApiError.from(error).message}`, tone: 'bad' });
    } finally {
      setProgress(null);
      running.current = null;
    }
  };
  const isOn = progress !== null;
  const Icon = isOn ? IconX : IconDownload;
  return (
    <>
      <span role="status" className="visually-hidden">
        {progress}
      </span>
      <Button
        variant="subtle"
        color="gray"
        visibleFrom="sm"
        leftSection={<Icon size={16} stroke={1.6} />}
        title={isOn ? 'Stop the export' : 'Save the list as CSV'}
        onClick={() => (isOn ? running.current?.abort() : void save())}
      >
        {progress ?? 'Export list'}
      </Button>
    </>
  );
}
