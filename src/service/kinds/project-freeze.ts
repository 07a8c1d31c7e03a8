/** What a share of a project stores: its note and notebook, and for each member what a share of that would store. */
import type { MemberKind, Project } from '../../contract/project.ts';
import { invariant } from '../../shared/invariant.ts';
import type { Snapshot } from '../policy/share-snapshot.ts';
import type { Executor } from '../repositories/database.ts';
import { findExperimentById } from '../repositories/experiments.ts';
import { listMembers, type MemberRow } from '../repositories/projects.ts';
import type { NewShareMember } from '../repositories/shares.ts';
import type { Kind } from './kind.ts';

export type MemberFreezing = Pick<Kind, 'freeze'>;

interface Shared {
  readonly include: readonly string[];
  /** Ids of the members, including data that do not open. */
  readonly ids: ReadonlySet<string>;
}

export function createFreeze(
  kinds: { readonly [K in MemberKind]: MemberFreezing },
  read: (db: Executor, shortId: string) => Promise<Project>,
): NonNullable<Kind['freeze']> {
  const freezeMember = async (
    tx: Executor,
    member: MemberRow,
    shared: Shared,
  ): Promise<NewShareMember> => {
    const kind = member.kind as MemberKind;
    const frozen = await kinds[kind].freeze?.(tx, member, shared.include);
    invariant(frozen !== undefined, 'what a project gathers can be frozen');
    const isOpen = kind !== 'data' || shared.include.includes('data');
    const snapshot = isOpen
      ? await withOrigin(tx, frozen, { ...shared, member })
      : namedOnly(frozen);
    return { objectId: member.id, addedAt: member.added_at, isOpen, snapshot: { ...snapshot } };
  };
  return async (tx, object, include) => {
    const project = await read(tx, object.short_id);
    const rows = await listMembers(tx, object.id);
    const shared = { include, ids: new Set(rows.map(({ short_id: id }) => id)) };
    const members: NewShareMember[] = [];
    for (const row of rows) members.push(await freezeMember(tx, row, shared));
    const { owner: _, members: __, counts: ___, ...shown } = project;
    return { view: shown, members };
  };
}

/** Data that the share leaves out: only the name and similar fields, nothing that gives access. */
function namedOnly({ view }: Snapshot): Snapshot {
  invariant(view.object_type === 'data', 'only data are named without being shown');
  const { object_type, name, fmt, created_at, updated_at, size } = view;
  const named = { object_type, name, fmt, created_at, updated_at, size };
  return { view: { ...named, description: '', short_id: '', path: '' } };
}

/** For a run: the versions it used, which the notebook compares; the data's only if the share shows them. */
async function withOrigin(
  tx: Executor,
  frozen: Snapshot,
  { member, include, ids }: Shared & { readonly member: MemberRow },
): Promise<Snapshot> {
  const { view } = frozen;
  if (view.object_type !== 'experiment') return frozen;
  const row = await findExperimentById(tx, member.id);
  if (row === null) return frozen;
  const { model_version, data_name, data_version } = row.meta;
  const isShown = include.includes('data') || ids.has(row.data_id);
  const origin = { model_version, ...(isShown ? { data_name, data_version } : {}) };
  return { ...frozen, view: { ...view, meta: { ...view.meta, ...origin } } };
}
