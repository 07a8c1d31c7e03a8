/** The language service as a page uses it: files in, problems and answers out. */
import { useEffect, useState } from 'react';
import type { DataCheck } from './data-check.ts';
import { entranceOf, type FileTree, fileText, listFiles } from './file-tree.ts';
import type { Problems } from './stan-protocol.ts';
import { type StanFiles, StanService } from './stan-service.ts';

/** Larger files are data in disguise: no program includes them. */
const largestChecked = 1_000_000;

/** The part of a tree that the language service receives. */
export function stanFilesOf(tree: Pick<FileTree, 'entries' | 'meta'>): StanFiles {
  const texts = new Map<string, string>();
  for (const { entry, path } of listFiles(tree)) {
    const text = fileText(entry);
    if (text !== null && text.length <= largestChecked) texts.set(path, text);
  }
  const entrance = entranceOf(tree);
  return { texts, entrance: entrance?.endsWith('.stan') ? entrance : null };
}

export interface Stan {
  readonly service: StanService;
  /** Of the newest state that was checked; null before the first check. */
  readonly checked: Problems | null;
}

/** `files` null: nothing to check yet. The worker lives as long as the component. */
export function useStan(files: StanFiles | null): Stan {
  const [service] = useState(() => new StanService());
  const [checked, setChecked] = useState<Problems | null>(null);
  useEffect(() => {
    service.start(setChecked);
    return () => service.stop();
  }, [service]);
  useEffect(() => {
    if (files !== null) service.setFiles(files);
  }, [service, files]);
  return { service, checked };
}

/** Quiet time before data are compared again. */
const quietMs = 120;

/** Data text against the data block; null while it is not known, and when there is no text. */
export function useDataCheck(
  { service, checked }: Stan,
  files: StanFiles | null,
  text: string | null,
  fmt = 'json',
): DataCheck | null {
  const [answer, setAnswer] = useState<{ text: string; check: DataCheck } | null>(null);
  useEffect(() => {
    // Requested again after each check of the program: its data block may have changed.
    if (files === null || text === null || checked === null) return;
    let isOld = false;
    const timer = setTimeout(() => {
      service.setFiles(files);
      service.ask('data', { text, fmt }).then(
        (check) => {
          if (!isOld) setAnswer({ text, check });
        },
        () => undefined,
      );
    }, quietMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [service, checked, files, text, fmt]);
  return answer !== null && answer.text === text ? answer.check : null;
}
