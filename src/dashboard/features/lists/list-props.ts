/** What a list is given: by its route, by its page, and by what it has loaded. */
import type { ReactNode } from 'react';
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListQuery } from '../../../contract/objects.ts';
import type { EntryOf } from '../../objects/object-queries.ts';
import type { ListColumn } from '../../ui/list-table.tsx';
import type { FieldValues } from './list-fields.ts';
import type { useObjectList } from './use-object-list.ts';

/** What the address says of every list; filters by the names of their fields. */
export interface ObjectListSearch extends FieldValues {
  readonly q: string;
  readonly page: number;
  readonly sort: string;
  /** Keys of the columns, parted by commas; empty: those that this browser remembers. */
  readonly cols: string;
}

/** What the page of every list is given by its route. */
export interface ListPageProps<S extends ObjectListSearch = ObjectListSearch> {
  readonly search: S;
  readonly onSearchChange: (change: Partial<S>) => void;
  readonly onOpen: (id: string) => void;
}

export interface ObjectListProps<K extends ObjectKind> {
  readonly kind: K;
  readonly title: string;
  /** One and several, in sentences: "experiment", "experiments". */
  readonly noun: readonly [string, string];
  readonly columns: readonly ListColumn<EntryOf<K>>[];
  readonly search: ObjectListSearch;
  readonly onSearchChange: (change: Partial<ObjectListSearch>) => void;
  readonly onOpen?: (id: string) => void;
  /** What the list is narrowed to beside search and filters. */
  readonly filters?: Partial<Omit<ListQuery, 'object_type'>>;
  /** "finished ", " of this model": text before and after the noun that say so; empty = not narrowed. */
  readonly filterText?: readonly [string, string];
  readonly onClear?: () => void;
  /** Beside the search box, before the filters. */
  readonly tools?: (list: ListState<K>) => ReactNode;
  /** Opens what shares rows: those that are selected, or one from its menu. */
  readonly onShare?: (rows: readonly EntryOf<K>[]) => void;
  /** Between the tools and the rows. */
  readonly above?: ReactNode;
  /** What the search box looks through; "Name or id" unless said. */
  readonly searchLabel?: string;
  readonly nameOf?: (row: EntryOf<K>) => string;
  /** False: these are not the person's own. */
  readonly canDelete?: boolean;
  /** What else can be done with the selected rows, before *Delete*. */
  readonly selectionActions?: (rows: readonly EntryOf<K>[]) => ReactNode;
  /** Queries that a deletion changes, when more than those of the kind. */
  readonly changedKeys?: readonly (readonly unknown[])[];
  readonly onDeleted?: () => void;
  /** What this is and the first step, while there is nothing. */
  readonly empty: ReactNode;
}

export type ListState<K extends ObjectKind> = ReturnType<typeof useObjectList<K>>;

export interface ListBodyProps<K extends ObjectKind> extends ObjectListProps<K> {
  readonly list: ListState<K>;
  readonly trailing?: ReactNode;
}
