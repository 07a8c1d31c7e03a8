/** Which columns of a list are shown: those of the address, otherwise those this browser remembers, otherwise the usual ones. */
import { useState } from 'react';
import type { ListColumn } from '../../ui/list-table.tsx';
import { readStored, writeStored } from '../../ui/stored-text.ts';

export interface ShownColumns<T> {
  readonly shown: readonly ListColumn<T>[];
  /** Their keys, parted by commas; empty: the usual ones. */
  readonly chosen: string;
  /** Null: the usual ones. */
  readonly choose: (keys: readonly string[] | null) => void;
}

interface ColumnsOrder<T> {
  /** Of the list, as its title says. */
  readonly name: string;
  readonly columns: readonly ListColumn<T>[];
  /** Of the address. */
  readonly cols: string;
  readonly onCols: (cols: string) => void;
}

/** The column of names is always there: it leads to the object. */
export function useColumns<T>({ name, columns, cols, onCols }: ColumnsOrder<T>): ShownColumns<T> {
  const storageKey = `ergodic.columns.${name}`;
  const [stored, setStored] = useState(() => readStored(storageKey));
  const known = (text: string) => {
    const keys = text.split(',');
    return keys.some((key) => columns.some((column) => column.key === key)) ? keys : null;
  };
  const keys = known(cols) ?? known(stored);
  const isShown = ({ key, phone, isExtra }: ListColumn<T>) =>
    keys === null ? !isExtra : phone === 'title' || keys.includes(key);
  return {
    shown: columns.filter(isShown),
    chosen: keys?.join(',') ?? '',
    choose: (next) => {
      const text = next?.join(',') ?? '';
      writeStored(storageKey, text);
      setStored(text);
      if (cols !== '') onCols(text);
    },
  };
}
