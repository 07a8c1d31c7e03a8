/** Changes to rows of a list: deletion, tags, names. A separate chunk, since few views of a list need it. */
import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  type Icon,
  IconFolders,
  IconPencil,
  IconShare3,
  IconTag,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ObjectKind } from '../../../contract/common.ts';
import { memberKinds } from '../../../contract/project.ts';
import { type EntryOf, nameOfEntry } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { userQueryOptions } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCapability } from '../../objects/use-config.ts';
import { useCanDelete, useDelete } from '../../objects/use-delete.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { MenuActions } from '../../ui/menu-actions.tsx';
import { formatCount } from '../../ui/numbers.ts';
import type { ListBodyProps } from './list-props.ts';
import { isNamed, isTagged, type TaggedRow } from './menus/change-rows.ts';
import { RenameForm, TagForm } from './menus/row-forms.tsx';

const MoveRows = lazyPart(() => import('./menus/move-rows.tsx'), 'MoveRows');
const AddToProject = lazyPart(() => import('./menus/add-to-project.tsx'), 'AddToProject');

/** Whether rows of this list can be added to projects. */
function useCanGather({ kind, canDelete }: ListBodyProps<ObjectKind>): boolean {
  const hasProjects = useCapability('projects');
  const isGathered = (memberKinds as readonly ObjectKind[]).includes(kind);
  return hasProjects && isGathered && canDelete !== false;
}

const movableKinds: readonly ObjectKind[] = ['model', 'data', 'workflow', 'experiment', 'project'];

/** Who rows of this list can be transferred to; null: nobody. */
function useMoving({ kind, canDelete }: ListBodyProps<ObjectKind>) {
  // loaded by the account menu
  const user = useQuery({ ...userQueryOptions(useClient()), enabled: false }).data;
  const teams = user?.teams ?? [];
  const canMove = movableKinds.includes(kind) && canDelete !== false && teams.length > 0;
  return canMove && user !== undefined ? { kind, teams, username: user.username } : null;
}

function gathered(
  { nameOf = nameOfEntry }: ListBodyProps<ObjectKind>,
  rows: readonly EntryOf<ObjectKind>[],
) {
  return rows.map((row) => ({ id: row.short_id, name: nameOf(row) }));
}

type Keep = (ids: readonly string[]) => void;

/** Deletes rows; those that could not be deleted stay selected. */
function useDeleteRows<K extends ObjectKind>(props: ListBodyProps<K>) {
  const { kind, noun, nameOf = nameOfEntry } = props;
  const remove = useDelete();
  return (chosen: readonly EntryOf<K>[], keep: Keep) => {
    const names = new Map(chosen.map((row) => [row.short_id, nameOf(row)]));
    const name = (id: string) => names.get(id) ?? id;
    return remove({
      ids: [...names.keys()],
      message: (ids) => {
        const [only = ''] = ids;
        return `Deleted ${ids.length === 1 ? name(only) : `${formatCount(ids.length)} ${noun[1]}`}.`;
      },
      nameOf: name,
      changes: props.changedKeys ?? [objectKeys(kind).all],
      onDone: (kept) => {
        keep(kept);
        props.onDeleted?.();
      },
    });
  };
}

interface RowsProps {
  readonly list: ListBodyProps<ObjectKind>;
}

export interface SelectionToolsProps extends RowsProps {
  readonly chosen: readonly EntryOf<ObjectKind>[];
  /** Selects only these. */
  readonly keep: Keep;
}

export function SelectionTools({ list, chosen, keep }: SelectionToolsProps) {
  const isOwn = list.canDelete !== false;
  const canDelete = useCanDelete() && isOwn;
  const deleteRows = useDeleteRows(list);
  const [isTagging, setTagging] = useState(false);
  const canGather = useCanGather(list);
  const [isGathering, setGathering] = useState(false);

  const taggedRows: readonly TaggedRow[] = isOwn ? chosen.filter(isTagged) : [];
  return (
    <>
      {isOwn && list.onShare !== undefined && chosen.length > 0 && (
        <Tool label="Share" Icon={IconShare3} onClick={() => list.onShare?.(chosen)} />
      )}
      {taggedRows.length > 0 && (
        <Tool label="Tag" Icon={IconTag} onClick={() => setTagging(true)} />
      )}
      {canGather && chosen.length > 0 && (
        <Tool label="Add to project" Icon={IconFolders} onClick={() => setGathering(true)} />
      )}
      {isGathering && (
        <AddToProject objects={gathered(list, chosen)} onClose={() => setGathering(false)} />
      )}
      <MoveChosen list={list} chosen={chosen} />
      {canDelete && (
        <Tool
          label="Delete"
          Icon={IconTrash}
          color="red"
          onClick={() => void deleteRows(chosen, keep)}
        />
      )}
      {isTagging && (
        <TagForm
          rows={taggedRows}
          onClose={() => setTagging(false)}
          onDone={(failed) => {
            setTagging(false);
            keep(failed);
          }}
        />
      )}
    </>
  );
}

function MoveChosen({ list, chosen }: Pick<SelectionToolsProps, 'list' | 'chosen'>) {
  const moving = useMoving(list);
  const [isMoving, setMoving] = useState(false);
  if (moving === null || chosen.length === 0) return null;
  return (
    <>
      <Tool label="Move to team" Icon={IconUsers} onClick={() => setMoving(true)} />
      {isMoving && (
        <MoveRows {...moving} objects={gathered(list, chosen)} onClose={() => setMoving(false)} />
      )}
    </>
  );
}

interface ToolProps {
  readonly label: string;
  readonly Icon: Icon;
  readonly color?: string;
  readonly onClick: () => void;
}

function Tool({ label, Icon, color = 'gray', onClick }: ToolProps) {
  return (
    <Button
      size="xs"
      variant="subtle"
      color={color}
      leftSection={<Icon size={16} />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

export interface RowToolsProps extends RowsProps {
  readonly row: EntryOf<ObjectKind>;
}

/** The menu of a row, mounted open. */
export function RowTools({ list, row }: RowToolsProps) {
  const { nameOf = nameOfEntry, onShare } = list;
  const canDelete = useCanDelete();
  const deleteRows = useDeleteRows(list);
  const canGather = useCanGather(list);
  const moving = useMoving(list);
  const [form, setForm] = useState<'name' | 'tags' | 'project' | 'move' | null>(null);
  const opens = (which: typeof form, isOffered: boolean) =>
    isOffered ? () => setForm(which) : undefined;
  const close = () => setForm(null);
  const remove = () => deleteRows([row], () => {});
  return (
    <>
      <Menu defaultOpened width={160} returnFocus>
        <Menu.Target>
          <ActionIcon size={28} aria-label={`Actions on ${nameOf(row)}`}>
            ⋮
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuActions
            actions={[
              { label: 'Rename', Icon: IconPencil, act: opens('name', isNamed(row)) },
              { label: 'Tags', Icon: IconTag, act: opens('tags', isTagged(row)) },
              { label: 'Add to project…', Icon: IconFolders, act: opens('project', canGather) },
              { label: 'Move to team…', Icon: IconUsers, act: opens('move', moving !== null) },
              { label: 'Share', Icon: IconShare3, act: onShare && (() => onShare([row])) },
              {
                label: 'Delete',
                Icon: IconTrash,
                act: canDelete ? remove : undefined,
                color: 'red',
              },
            ]}
          />
        </Menu.Dropdown>
      </Menu>
      {form === 'project' && <AddToProject objects={gathered(list, [row])} onClose={close} />}
      {form === 'move' && moving !== null && (
        <MoveRows {...moving} objects={gathered(list, [row])} onClose={close} />
      )}
      {form === 'name' && isNamed(row) && <RenameForm row={row} onClose={close} />}
      {form === 'tags' && isTagged(row) && <TagForm rows={[row]} onClose={close} onDone={close} />}
    </>
  );
}
