/** The props of a list: from its route, from its page, and from the loaded data. */
import type { ReactNode } from 'react';
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListQuery } from '../../../contract/objects.ts';
import type { EntryOf } from '../../objects/object-queries.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import type { FieldValues } from './list-fields.ts';
import type { useObjectList } from './use-object-list.ts';

/** Search parameters of every list; filters by the names of their fields. */
export interface ObjectListSearch extends FieldValues {
  readonly q: string;
  readonly page: number;
  readonly sort: string;
  /** Keys of the columns, separated by commas; empty: those that this browser remembers. */
  readonly cols: string;
}

/** What every list page gets from its route. */
export interface ListPageProps<S extends ObjectListSearch = ObjectListSearch> {
  readonly search: S;
  readonly onSearchChange: (change: Partial<S>) => void;
  readonly onOpen: (id: string) => void;
}

export interface ObjectListProps<K extends ObjectKind> {
  readonly kind: K;
  readonly title: string;
  /** Singular and plural, for sentences: "experiment", "experiments". */
  readonly noun: readonly [string, string];
  readonly columns: readonly ListColumn<EntryOf<K>>[];
  readonly search: ObjectListSearch;
  readonly onSearchChange: (change: Partial<ObjectListSearch>) => void;
  readonly onOpen?: (id: string) => void;
  /** Restrictions of the list besides search and filters. */
  readonly filters?: Partial<Omit<ListQuery, 'object_type'>>;
  /** "finished ", " of this model": text before and after the noun that says so; empty = not restricted. */
  readonly filterText?: readonly [string, string];
  readonly onClear?: () => void;
  /** Next to the search box, before the filters. */
  readonly tools?: (list: ListState<K>) => ReactNode;
  /** Opens the sharing of rows: the selected ones, or one from its menu. */
  readonly onShare?: (rows: readonly EntryOf<K>[]) => void;
  /** Between the tools and the rows. */
  readonly above?: ReactNode;
  /** What the search box searches; default "Name or id". */
  readonly searchLabel?: string;
  readonly nameOf?: (row: EntryOf<K>) => string;
  /** False: these are not the user's own. */
  readonly canDelete?: boolean;
  /** Other actions on the selected rows, before *Delete*. */
  readonly selectionActions?: (rows: readonly EntryOf<K>[]) => ReactNode;
  /** Queries that a deletion changes, in addition to those of the kind. */
  readonly changedKeys?: readonly (readonly unknown[])[];
  readonly onDeleted?: () => void;
  /** What this is and how to start, shown if there are no rows. */
  readonly empty: ReactNode;
}

export type ListState<K extends ObjectKind> = ReturnType<typeof useObjectList<K>>;

export interface ListBodyProps<K extends ObjectKind> extends ObjectListProps<K> {
  readonly list: ListState<K>;
  readonly trailing?: ReactNode;
}
