/** Columns shared by several kinds of lists: an object's name, its id, when it changed. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListColumn } from '../../ui/list-table.tsx';
import { missing } from '../../ui/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

interface Named {
  readonly short_id: string;
  readonly name: string;
}

/** Where the pages of each kind are. */
type Place = '/models' | '/experiments' | '/data' | '/workflows' | '/functions' | '/projects';

/** The name as a link to the page of the object. */
export function nameColumn(place: Place, title = 'Name'): ListColumn<Named> {
  return linkColumn(title, (row) => `${place}/${row.short_id}`);
}

/** The name as a link to the address that `pathOf` returns. */
export function linkColumn<T extends Named>(
  title: string,
  pathOf: (row: T) => string,
): ListColumn<T> {
  return {
    key: 'name',
    title,
    phone: 'title',
    grow: true,
    sortKey: 'name',
    sortsUp: true,
    cell: (row) => (
      <Link to={pathOf(row)} title={row.name}>
        {row.name || row.short_id}
      </Link>
    ),
  };
}

export interface TextColumn<T> extends Omit<ListColumn<T>, 'cell' | 'phone'> {
  /** Default `hidden`. */
  readonly phone?: ListColumn<T>['phone'];
  /** Empty or absent: a dash. */
  readonly text: (row: T) => ReactNode;
}

/** A text, or a dash if the server sends none. */
export function textColumn<T>({ text, ...column }: TextColumn<T>): ListColumn<T> {
  return { phone: 'hidden', ...column, cell: (row) => text(row) || missing };
}

export const modelColumn = textColumn<{ readonly model_name?: string | null }>({
  key: 'model',
  title: 'Model',
  phone: 'below',
  grow: true,
  sortKey: 'model',
  sortsUp: true,
  text: (row) => row.model_name,
});

export const idColumn: ListColumn<{ readonly short_id: string }> = {
  key: 'id',
  title: 'Id',
  phone: 'hidden',
  wideOnly: true,
  cell: (row) => <code>{row.short_id}</code>,
};

interface Dated {
  readonly created_at?: string | null;
  readonly updated_at?: string | null;
  readonly sample_update_time?: string | null;
}

export const updatedColumn: ListColumn<Dated> = {
  key: 'updated',
  title: 'Updated',
  phone: 'aside',
  align: 'right',
  sortKey: 'updated',
  cell: (row) => <RelativeTime date={row.updated_at ?? row.sample_update_time} />,
};

export const createdColumn: ListColumn<Dated> = {
  key: 'created',
  title: 'Created',
  phone: 'hidden',
  align: 'right',
  isExtra: true,
  sortKey: 'created',
  cell: (row) => <RelativeTime date={row.created_at} />,
};

/** Tags as text, separated by commas. */
export function tagsColumn<T>(tagsOf: (row: T) => readonly string[]): ListColumn<T> {
  return textColumn<T>({
    key: 'tags',
    title: 'Tags',
    grow: 'brief',
    isExtra: true,
    text: (row) => tagsOf(row).join(', '),
  });
}
