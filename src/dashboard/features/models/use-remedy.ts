/** Makes the change that a run's page requested in the address: an edit like any other, not yet saved. */
import { useEffect, useState } from 'react';
import { findFileByPath, setText } from '../../editor/file-tree.ts';
import type { OfferedRemedy } from '../../editor/stan-protocol.ts';
import type { Stan } from '../../editor/use-stan.ts';
import type { EditSession } from './edit-session.ts';

export interface RemedyOptions {
  readonly session: EditSession;
  readonly stan: Stan;
  /** "non-centred theta"; empty: none. */
  readonly fix: string;
  /** The search is over, whether or not the change was found. */
  readonly onDone: () => void;
}

interface AppliedRemedy {
  readonly title: string;
  /** Null: the program no longer contains what would be changed. */
  readonly takeBack: (() => void) | null;
  readonly close: () => void;
}

export function useRemedy({ session, stan, fix, onDone }: RemedyOptions): AppliedRemedy | null {
  const { service, checked } = stan;
  const [applied, setApplied] = useState<OfferedRemedy | 'missing' | null>(null);
  useEffect(() => {
    if (fix === '' || checked === null) return;
    let isOld = false;
    service.ask('remedies', {}).then(
      (found) => {
        if (isOld) return;
        const remedy = found.find(({ kind, parameter }) => `${kind} ${parameter}` === fix);
        if (remedy !== undefined) put(session, remedy, 'after');
        setApplied(remedy ?? 'missing');
        onDone();
      },
      () => undefined,
    );
    return () => {
      isOld = true;
    };
    // `onDone` is another function each time; what it does is the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [service, checked, session, fix]);
  if (applied === null) return null;
  const close = () => setApplied(null);
  if (applied === 'missing') return { title: '', takeBack: null, close };
  const takeBack = () => {
    put(session, applied, 'before');
    close();
  };
  return { title: applied.title, takeBack, close };
}

function put(session: EditSession, remedy: OfferedRemedy, side: 'before' | 'after'): void {
  session.edit((tree) => {
    let next = tree;
    for (const file of remedy.files) {
      const entry = findFileByPath(next, file.path);
      if (entry !== null) next = setText(next, entry.id, file[side]);
    }
    return next;
  });
}
