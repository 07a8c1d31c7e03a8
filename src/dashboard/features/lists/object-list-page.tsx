/** The list of one kind: search, filters, order, page, selection, deletion, export; the kind's specifics are props. */
import { type ReactNode } from 'react';
import type { ObjectKind } from '../../../contract/common.ts';
import { type EntryOf, isCalled, pageSize } from '../../objects/object-queries.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Pager } from '../../ui/list-table.tsx';
import { ListTools } from '../../ui/list-tools.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { ListSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import type { ListBodyProps, ObjectListProps } from './list-props.ts';
import { ListRows } from './list-rows.tsx';
import { type ShownColumns, useColumns } from './use-columns.ts';
import { useObjectList } from './use-object-list.ts';

const ExportButton = lazyPart(
  () => import('./export-button.tsx'),
  'ExportButton',
  <span style={{ width: 118 }} />,
);
const ListFilters = lazyPart(
  () => import('./list-filters.tsx'),
  'ListFilters',
  <span style={{ width: 72, height: 28 }} />,
);
const NothingFound = lazyPart(() => import('./nothing-found.tsx'), 'NothingFound');
const ListMenus = lazyPart(
  () => import('./menus/list-menus.tsx'),
  'ListMenus',
  <span style={{ width: 130, height: 32, marginLeft: 'auto' }} />,
);

export interface ObjectListPageProps<K extends ObjectKind> extends ObjectListProps<K> {
  /** To the right of the title. */
  readonly actions?: (total: number) => ReactNode;
}

/** The list with its header. */
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

/** The list alone, for pages with several; the export is among its tools. */
export function ObjectList<K extends ObjectKind>(props: ObjectListProps<K>) {
  const list = useObjectList(props);
  return <ListBody {...props} list={list} trailing={<Export {...props} list={list} />} />;
}

function Export<K extends ObjectKind>({ kind, title, search, list }: ListBodyProps<K>) {
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

function ListBody<K extends ObjectKind>(props: ListBodyProps<K>) {
  const { search, onSearchChange, list } = props;
  const { query, rows, total, fields, canSearch } = list;
  const label = props.searchLabel ?? 'Name or id';
  const [before, after] = props.filterText ?? ['', ''];
  const columns = useColumns({
    name: props.title,
    columns: props.columns,
    cols: search.cols,
    onCols: (cols) => onSearchChange({ cols }),
  });
  const set = fields.filter(({ key }) => (search[key] ?? '') !== '');
  const isFiltered = search.q !== '' || before !== '' || after !== '' || set.length > 0;
  const clear = () => {
    const without = Object.fromEntries(fields.map(({ key }) => [key, '']));
    onSearchChange({ ...without, q: '', page: 1 });
    props.onClear?.();
  };
  return (
    <>
      {(isFiltered || total > 0) && (
        <ListTools
          label={canSearch ? label : `${label} on this page`}
          search={search.q}
          onSearch={(q) => onSearchChange({ q, page: 1 })}
        >
          {props.tools?.(list)}
          <ListFilters
            fields={fields}
            values={search}
            rows={rows}
            onChange={(change) => onSearchChange({ ...change, page: 1 })}
            onClear={isFiltered ? clear : undefined}
          />
          <ListMenus
            name={props.title}
            search={viewOf(props, columns)}
            onView={(view) => onSearchChange({ ...viewOf(props, null), ...view, page: 1 })}
            columns={props.columns.filter(({ title }) => title !== '')}
            shown={columns.shown.map(({ key }) => key)}
            onColumns={columns.choose}
          />
          {props.trailing}
        </ListTools>
      )}
      {props.above}
      {query.isPending && <ListSkeleton />}
      {query.isError && <QueryProblem query={query} what="The list" />}
      {query.isSuccess && rows.length === 0 && !isFiltered && total === 0 && props.empty}
      {query.isSuccess && rows.length === 0 && isFiltered && (
        <NothingFound
          noun={props.noun[0]}
          around={[before, after]}
          fields={set}
          search={search}
          isPageOnly={!canSearch}
          onClear={clear}
        />
      )}
      {rows.length > 0 && <ListRows {...props} columns={columns.shown} />}
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

/** The part of the address that a saved view stores; `columns` null: everything cleared. */
function viewOf<K extends ObjectKind>(
  { search, list }: ListBodyProps<K>,
  columns: ShownColumns<EntryOf<K>> | null,
): Record<string, string> {
  const keys = ['status', ...list.fields.map(({ key }) => key)] as const;
  const isAny = columns === null;
  const fields = keys
    .filter((key) => search[key] !== undefined)
    .map((key) => [key, isAny ? '' : (search[key] ?? '')]);
  return {
    ...Object.fromEntries(fields),
    q: isAny ? '' : search.q,
    sort: isAny ? '-created' : search.sort,
    cols: columns?.chosen ?? '',
  };
}
