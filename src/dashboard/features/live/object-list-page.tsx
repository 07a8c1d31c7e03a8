/** The list page of one kind: search, order, page, selection, deletion; what is particular to a kind is given. */
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { ListQuery } from '../../../contract/objects.ts';
import { configQueryOptions, hasCapability } from '../../services.ts';
import { FilteredEmpty } from '../../ui/filtered-empty.tsx';
import { type ListColumn, ListTable, Pager } from '../../ui/list-table.tsx';
import { ListTools } from '../../ui/list-tools.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { useCanDelete, useDelete } from '../../ui/use-delete.ts';
import { type EntryOf, objectListQueryOptions, pageSize } from './object-list.ts';

type NamedKind = 'model' | 'experiment' | 'data' | 'workflow';

/** What the address says of every list. */
export interface ObjectListSearch {
  readonly q: string;
  readonly page: number;
  readonly sort: string;
}

export interface ObjectListPageProps<K extends NamedKind> {
  readonly client: Client;
  readonly kind: K;
  readonly title: string;
  /** One and several, in sentences: "experiment", "experiments". */
  readonly noun: readonly [string, string];
  readonly columns: readonly ListColumn<EntryOf<K>>[];
  readonly search: ObjectListSearch;
  readonly onSearchChange: (change: Partial<ObjectListSearch>) => void;
  readonly onOpen: (id: string) => void;
  /** What the list is narrowed to beside the search. */
  readonly filters?: Partial<Omit<ListQuery, 'object_type'>>;
  /** "finished ", " of this model": words before and after the noun that say so; empty = not narrowed. */
  readonly filterWords?: readonly [string, string];
  readonly onClear?: () => void;
  /** Beside the search box. */
  readonly tools?: (total: number) => ReactNode;
  /** Right of the title. */
  readonly actions?: (total: number) => ReactNode;
  /** What this is and the first step, while there is nothing. */
  readonly empty: ReactNode;
}

export function ObjectListPage<K extends NamedKind>(props: ObjectListPageProps<K>) {
  const { client, kind, title, columns, search, onSearchChange, onOpen, empty } = props;
  const [before, after] = props.filterWords ?? ['', ''];
  const canSearch = hasCapability(useQuery(configQueryOptions(client)).data, 'search');
  const list = useQuery(
    objectListQueryOptions(client, kind, {
      ...props.filters,
      ...(canSearch && { q: search.q, sort: search.sort }),
      page_no: search.page,
    }),
  );
  const total = list.data?.total ?? 0;
  const loaded = list.data?.objects ?? [];
  const rows = canSearch ? loaded : loaded.filter((row) => isNamed(row, search.q));
  const isFiltered = search.q !== '' || before !== '' || after !== '';
  const clear = () => {
    onSearchChange({ q: '', page: 1 });
    props.onClear?.();
  };
  const asked = search.q === '' ? '' : ` called “${search.q}”`;
  return (
    <>
      <PageHead
        title={title}
        count={list.isSuccess ? formatCount(total) : undefined}
        actions={props.actions?.(total)}
      />
      {(isFiltered || total > 0) && (
        <ListTools
          label={canSearch ? 'Name or id' : 'Name or id on this page'}
          search={search.q}
          onSearch={(q) => onSearchChange({ q, page: 1 })}
        >
          {props.tools?.(total)}
        </ListTools>
      )}
      {list.isPending && <PageSkeleton />}
      {list.isError && <QueryProblem query={list} what="The list" />}
      {list.isSuccess && rows.length === 0 && !isFiltered && empty}
      {list.isSuccess && rows.length === 0 && isFiltered && (
        <FilteredEmpty onClear={clear}>
          There is no {before}
          {props.noun[0]}
          {after}
          {asked}
          {canSearch ? '' : ' on this page'}.
        </FilteredEmpty>
      )}
      {rows.length > 0 && (
        <>
          <Rows {...props} rows={rows} columns={columns} onOpen={onOpen} canSort={canSearch} />
          <Pager
            page={search.page}
            pageSize={pageSize}
            total={total}
            onPage={(page) => onSearchChange({ page })}
          />
        </>
      )}
    </>
  );
}

interface NamedRow {
  readonly name: string;
  readonly short_id: string;
}

const idOf = ({ short_id }: NamedRow) => short_id;
const nameOf = ({ name, short_id }: NamedRow) => name || short_id;

/** What a server without search would have found among these. */
function isNamed({ name, short_id }: NamedRow, q: string): boolean {
  const word = q.trim().toLowerCase();
  return name.toLowerCase().includes(word) || short_id.startsWith(q.trim());
}

interface RowsProps<K extends NamedKind> extends ObjectListPageProps<K> {
  readonly rows: readonly EntryOf<K>[];
  readonly canSort: boolean;
}

function Rows<K extends NamedKind>(props: RowsProps<K>) {
  const { client, kind, title, noun, rows, columns, search, onSearchChange, onOpen } = props;
  const remove = useDelete(client);
  const canDelete = useCanDelete(client);
  const deleteRows = (chosen: readonly EntryOf<K>[], done: () => void) =>
    remove({
      ids: chosen.map((row) => idOf(row)),
      words:
        chosen.length === 1
          ? `Deleted ${nameOf(chosen[0])}.`
          : `Deleted ${chosen.length} ${noun[1]}.`,
      queryKeys: [[`${kind}s`]],
      onDone: done,
    });
  return (
    <ListTable
      label={title}
      rows={rows}
      columns={columns}
      idOf={idOf}
      nameOf={nameOf}
      onOpen={(row) => onOpen(idOf(row))}
      sort={search.sort}
      onSort={props.canSort ? (sort) => onSearchChange({ sort, page: 1 }) : undefined}
      canSelect={canDelete}
      selectionActions={(chosen, done) => (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} stroke={1.6} />}
          onClick={() => void deleteRows(chosen, done)}
        >
          Delete
        </Button>
      )}
    />
  );
}
