/** The rows of a log in React: kept up to date while the run continues, searched, filtered by level. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { objectKeys } from '../../../objects/query-keys.ts';
import { useClient } from '../../../objects/use-client.ts';
import { listPollDelay } from '../../live/poll-policy.ts';
import { type LogLevel, levelOf } from './log-line.tsx';
import { type LogLine, LogPages } from './log-pages.ts';
import { type LogStream, rangeSource, wholeSource } from './log-source.ts';

export interface LogRequest {
  readonly id: string;
  readonly stream: LogStream;
  readonly hasRange: boolean;
  readonly isLive: boolean;
}

/** Pages of the log; `version` changes when rows change. */
export function useLog({ id, stream, hasRange, isLive }: LogRequest) {
  const client = useClient();
  const pages = useMemo(
    () => new LogPages(hasRange ? rangeSource(client, id, stream) : wholeSource(client, id)),
    [client, id, stream, hasRange],
  );
  const query = useQuery({
    queryKey: objectKeys('experiment').part(id, ['log', stream, hasRange]),
    queryFn: ({ signal }) => pages.refresh(signal),
    // The pages live as long as this tab: each mount fills them again.
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => listPollDelay(isLive, state.status === 'error'),
  });
  const version = useSyncExternalStore(pages.subscribe, pages.version);
  return { pages, version, query };
}

export type LevelChoice = 'all' | 'warnings' | 'errors';

const shown: Readonly<Record<LevelChoice, readonly LogLevel[]>> = {
  all: ['error', 'warning', 'info'],
  warnings: ['error', 'warning'],
  errors: ['error'],
};
/** Maximum number of lines in a filtered log. */
const mostKept = 100_000;

export interface FilteredLog {
  readonly lines: readonly LogLine[];
  readonly numHidden: number;
  /** Share read so far, 0 to 1. */
  readonly read: number;
  readonly failed: boolean;
}

/** Reads through the entire log for the lines of a level; null while all are shown. */
export function useFilteredLog(
  pages: LogPages,
  size: number,
  choice: LevelChoice,
): FilteredLog | null {
  const [found, setFound] = useState<(FilteredLog & { choice: LevelChoice }) | null>(null);
  useEffect(() => {
    if (choice === 'all') return;
    const control = new AbortController();
    const wanted = new Set(shown[choice]);
    const read = async () => {
      const lines: LogLine[] = [];
      let numHidden = 0;
      for (let page = 0; page < pages.numPages && !control.signal.aborted; page++) {
        for (const line of await pages.linesOf(page, control.signal)) {
          if (wanted.has(levelOf(line.text)) && lines.length < mostKept) lines.push(line);
          else numHidden += 1;
        }
        const isDone = page === pages.numPages - 1;
        if (!control.signal.aborted && (isDone || page % 8 === 7))
          setFound({
            lines: [...lines],
            numHidden,
            read: (page + 1) / pages.numPages,
            failed: false,
            choice,
          });
      }
    };
    read().catch(() => {
      if (!control.signal.aborted)
        setFound((before) => ({
          ...(before ?? { lines: [], numHidden: 0, read: 0 }),
          failed: true,
          choice,
        }));
    });
    return () => control.abort();
  }, [pages, size, choice]);
  return found?.choice === choice ? found : null;
}

export interface LogSearch {
  /** Where the matching lines begin; null while the search is running. */
  readonly matches: readonly number[] | null;
  readonly failed: boolean;
}

const noSearch: LogSearch = { matches: [], failed: false };
const searching: LogSearch = { matches: null, failed: false };

/** `text` after a pause in typing. */
export function useLogSearch(pages: LogPages, text: string): LogSearch {
  const [found, setFound] = useState<LogSearch & { text: string }>({ ...noSearch, text: '' });
  useEffect(() => {
    if (text === '') return;
    const control = new AbortController();
    const timer = setTimeout(() => {
      pages.source.search(text, control.signal).then(
        (matches) => control.signal.aborted || setFound({ matches, failed: false, text }),
        () => control.signal.aborted || setFound({ matches: [], failed: true, text }),
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [pages, text]);
  if (text === '') return noSearch;
  return found.text === text ? found : searching;
}
