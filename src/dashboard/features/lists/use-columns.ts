/** Which columns of a list are shown: those in the address, else those this browser remembers, else the default ones. */
import { useState } from 'react';
import type { ListColumn } from '../../ui/list-table.tsx';
import { readStored, writeStored } from '../../ui/stored-text.ts';

export interface ShownColumns<T> {
  readonly shown: readonly ListColumn<T>[];
  /** Their keys, separated by commas; empty: the default ones. */
  readonly chosen: string;
  /** Null: the default ones. */
  readonly choose: (keys: readonly string[] | null) => void;
}

interface ColumnsOrder<T> {
  /** Of the list, according to its title. */
  readonly name: string;
  readonly columns: readonly ListColumn<T>[];
  /** Of the address. */
  readonly cols: string;
  readonly onCols: (cols: string) => void;
}

/** The column of names is always shown: it links to the object. */
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
