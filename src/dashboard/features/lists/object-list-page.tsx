/** The list of one kind: search, filters, order, page, selection, deletion, export; what is particular to a kind is given. */
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListQuery } from '../../../contract/objects.ts';
import { type EntryOf, isCalled, nameOfEntry, pageSize } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { showFailure } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCanDelete, useDelete } from '../../objects/use-delete.ts';
import { FilteredEmpty } from '../../ui/filtered-empty.tsx';
import { importWithRetry } from '../../ui/import-with-retry.ts';
import { type ListColumn, ListTable, Pager } from '../../ui/list-table.tsx';
import { ListTools } from '../../ui/list-tools.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { ListSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { ExportButton } from './export-button.tsx';
import { type FieldValues, ListFilters, valueName } from './list-filters.tsx';
import { mostExported, useObjectList } from './use-object-list.ts';

/** What the address says of every list; filters by the names of their fields. */
export interface ObjectListSearch extends FieldValues {
  readonly q: string;
  readonly page: number;
  readonly sort: string;
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
  readonly tools?: (total: number) => ReactNode;
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

export interface ObjectListPageProps<K extends ObjectKind> extends ObjectListProps<K> {
  /** Right of the title. */
  readonly actions?: (total: number) => ReactNode;
}

/** The list with its head. */
export function ObjectListPage<K extends ObjectKind>(props: ObjectListPageProps<K>) {
  const list = useObjectList(props);
  return (
    <>
      <PageHead
        title={props.title}
        count={list.query.isSuccess ? formatCount(list.total) : undefined}
        actions={
          <>
            <Export {...props} list={list} />
            {props.actions?.(list.total)}
          </>
        }
      />
      <ListBody {...props} list={list} />
    </>
  );
}

/** The list alone, for pages with several; the export stands among its tools. */
export function ObjectList<K extends ObjectKind>(props: ObjectListProps<K>) {
  const list = useObjectList(props);
  return <ListBody {...props} list={list} trailing={<Export {...props} list={list} />} />;
}

interface BodyProps<K extends ObjectKind> extends ObjectListProps<K> {
  readonly list: ReturnType<typeof useObjectList<K>>;
  readonly trailing?: ReactNode;
}

function Export<K extends ObjectKind>({ kind, title, search, list }: BodyProps<K>) {
  if (list.total === 0) return null;
  return (
    <ExportButton
      kind={kind}
      fileName={title.toLowerCase().replaceAll(' ', '-')}
      filters={list.asked}
      keep={list.canSearch ? undefined : (row) => isCalled(row, search.q)}
    />
  );
}

function ListBody<K extends ObjectKind>(props: BodyProps<K>) {
  const { search, onSearchChange, list } = props;
  const { query, rows, total, fields, canSearch } = list;
  const label = props.searchLabel ?? 'Name or id';
  const [before, after] = props.filterText ?? ['', ''];
  const set = fields.filter(({ key }) => (search[key] ?? '') !== '');
  const isFiltered = search.q !== '' || before !== '' || after !== '' || set.length > 0;
  const clear = () => {
    const without = Object.fromEntries(fields.map(({ key }) => [key, '']));
    onSearchChange({ ...without, q: '', page: 1 });
    props.onClear?.();
  };
  const narrowed = set
    .filter(({ isShownByPage }) => !isShownByPage)
    .map((field) => ` ${field.phrase(valueName(field, search[field.key] ?? '', rows))}`);
  return (
    <>
      {(isFiltered || total > 0) && (
        <ListTools
          label={canSearch ? label : `${label} on this page`}
          search={search.q}
          onSearch={(q) => onSearchChange({ q, page: 1 })}
        >
          {props.tools?.(total)}
          <ListFilters
            fields={fields}
            values={search}
            rows={rows}
            onChange={(change) => onSearchChange({ ...change, page: 1 })}
            onClear={isFiltered ? clear : undefined}
          />
          {props.trailing}
        </ListTools>
      )}
      {props.above}
      {query.isPending && <ListSkeleton />}
      {query.isError && <QueryProblem query={query} what="The list" />}
      {query.isSuccess && rows.length === 0 && !isFiltered && total === 0 && props.empty}
      {query.isSuccess && rows.length === 0 && isFiltered && (
        <FilteredEmpty onClear={clear}>
          There is no {before}
          {props.noun[0]}
          {after}
          {narrowed.join('')}
          {search.q === '' ? '' : ` called “${search.q}”`}
          {canSearch ? '' : ' on this page'}.
        </FilteredEmpty>
      )}
      {rows.length > 0 && <Rows {...props} />}
      {query.isSuccess && total > 0 && (
        <Pager
          page={search.page}
          pageSize={pageSize}
          total={total}
          onPage={(page) => onSearchChange({ page })}
        />
      )}
    </>
  );
}

const idOf = ({ short_id }: { readonly short_id: string }) => short_id;

async function loadAll<K extends ObjectKind>(
  client: Client,
  kind: K,
  filters: ReturnType<typeof useObjectList<K>>['asked'],
): Promise<readonly EntryOf<K>[] | null> {
  const { signal } = new AbortController();
  try {
    const { exportRows } = await importWithRetry(() => import('./export-list.ts'));
    const { rows } = await exportRows(client, { kind, filters, onProgress: () => {}, signal });
    return rows;
  } catch (error) {
    showFailure('Not selected', error);
    return null;
  }
}

function Rows<K extends ObjectKind>(props: BodyProps<K>) {
  const { kind, title, noun, list, columns, search, onSearchChange, onOpen } = props;
  const nameOf = props.nameOf ?? nameOfEntry;
  const remove = useDelete();
  const client = useClient();
  const canDelete = useCanDelete() && props.canDelete !== false;
  const deleteRows = (chosen: readonly EntryOf<K>[], done: () => void) => {
    const [only] = chosen.length === 1 ? chosen : [];
    return remove({
      ids: chosen.map((row) => idOf(row)),
      message:
        only === undefined
          ? `Deleted ${formatCount(chosen.length)} ${noun[1]}.`
          : `Deleted ${nameOf(only)}.`,
      changes: props.changedKeys ?? [objectKeys(kind).all],
      onDone: () => {
        done();
        props.onDeleted?.();
      },
    });
  };
  return (
    <ListTable
      label={title}
      rows={list.rows}
      columns={columns}
      idOf={idOf}
      nameOf={nameOf}
      onOpen={onOpen === undefined ? undefined : (row) => onOpen(idOf(row))}
      sort={search.sort}
      onSort={list.canSearch ? (sort) => onSearchChange({ sort, page: 1 }) : undefined}
      otherPages={
        list.canSearch && list.total > list.rows.length && list.total <= mostExported
          ? {
              total: list.total,
              asked: JSON.stringify([list.asked, search.page]),
              load: () => loadAll(client, kind, list.asked),
            }
          : undefined
      }
      canSelect={canDelete || props.selectionActions !== undefined}
      selectionActions={(chosen, done) => (
        <>
          {props.selectionActions?.(chosen)}
          {canDelete && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} />}
              onClick={() => void deleteRows(chosen, done)}
            >
              Delete
            </Button>
          )}
        </>
      )}
    />
  );
}
