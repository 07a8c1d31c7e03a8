/** The rows of a list: selection over all pages, and a menu for each row. */
import { ActionIcon } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { ObjectKind } from '../../../contract/common.ts';
import { type EntryOf, nameOfEntry } from '../../objects/object-queries.ts';
import { showFailure } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCanDelete } from '../../objects/use-delete.ts';
import { importWithRetry } from '../../ui/import-with-retry.ts';
import { barePart, lazyPart } from '../../ui/lazy-part.ts';
import { ListTable } from '../../ui/list-table.tsx';
import type { ListBodyProps, ListState } from './list-props.ts';
import { mostExported } from './use-object-list.ts';

const SelectionTools = lazyPart(() => import('./row-tools.tsx'), 'SelectionTools');
const RowTools = barePart(() => import('./row-tools.tsx'), 'RowTools');

const idOf = ({ short_id }: { readonly short_id: string }) => short_id;

/** Kinds whose rows have a name that can be changed. */
const named: readonly ObjectKind[] = ['experiment', 'model', 'data', 'workflow', 'project'];

async function loadAll<K extends ObjectKind>(
  client: Client,
  kind: K,
  filters: ListState<K>['asked'],
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

export function ListRows<K extends ObjectKind>(props: ListBodyProps<K>) {
  const { kind, list, search, onSearchChange, onOpen, nameOf = nameOfEntry } = props;
  const client = useClient();
  const isOwn = props.canDelete !== false;
  const canDelete = useCanDelete() && isOwn;
  // The tools accept rows of any kind, but receive only rows of this list.
  const ofAny = props as unknown as ListBodyProps<ObjectKind>;
  return (
    <ListTable
      label={props.title}
      rows={list.rows}
      columns={props.columns}
      idOf={idOf}
      nameOf={nameOf}
      onOpen={onOpen === undefined ? undefined : (row) => onOpen(idOf(row))}
      sort={list.sort}
      onSort={(sort) => onSearchChange({ sort, page: 1 })}
      sortsPage={!list.canSearch}
      otherPages={
        list.canSearch && list.total > list.rows.length && list.total <= mostExported
          ? {
              total: list.total,
              asked: JSON.stringify([list.asked, search.page]),
              load: () => loadAll(client, kind, list.asked),
            }
          : undefined
      }
      canSelect={
        canDelete || (isOwn && named.includes(kind)) || props.selectionActions !== undefined
      }
      rowActions={
        isOwn && named.includes(kind)
          ? (row) => <RowActions list={ofAny} row={row} name={nameOf(row)} />
          : undefined
      }
      selectionActions={(chosen, keep) => (
        <>
          {props.selectionActions?.(chosen)}
          <SelectionTools list={ofAny} chosen={chosen} keep={keep} />
        </>
      )}
    />
  );
}

interface RowActionsProps {
  readonly list: ListBodyProps<ObjectKind>;
  readonly row: EntryOf<ObjectKind>;
  readonly name: string;
}

/** The menu is loaded when first opened: a list has fifty of them. */
function RowActions({ list, row, name }: RowActionsProps) {
  const [isUsed, setUsed] = useState(false);
  const button = (
    <ActionIcon
      size={28}
      aria-label={`Actions on ${name}`}
      aria-haspopup="menu"
      onClick={() => setUsed(true)}
    >
      ⋮
    </ActionIcon>
  );
  return isUsed ? (
    <Suspense fallback={button}>
      <RowTools list={list} row={row} />
    </Suspense>
  ) : (
    button
  );
}
