/**
 * Who may do what: actor × kind × operation, as data. What is not listed here is denied.
 *
 * `live` = the object as it is now; `snapshot` = as frozen in the share that admits the caller, never its parents,
 * siblings, lists or search. The service enforces this table; a test walks every cell of it.
 */
import type { ObjectKind } from './common.ts';

export const actors = [
  /** No token, no share. */
  'anonymous',
  /** A public share, or a password share with the right password. */
  'share_viewer',
  /** A password share without its password, or with a wrong one. */
  'share_viewer_without_password',
  /** The signed-in user a share names. */
  'sharee',
  'owner',
  /** Signed in, but neither owner nor named. */
  'other',
  'super',
] as const;
export type Actor = (typeof actors)[number];

export const operations = [
  'list',
  'view',
  'view_version',
  'sampledata',
  'draws',
  'summary',
  'stdlog',
  'cloudwatch_log',
  'run_info',
  'log',
  'view_analyzer',
  'versions',
  'update',
  'delete',
  'undo',
  'share',
  'invoke',
  'download',
  'live',
] as const;
export type Operation = (typeof operations)[number];

export type Access = 'live' | 'snapshot';
type Cell = Partial<Record<Actor, Access>>;

const ownerOnly: Cell = { owner: 'live', super: 'live' };
const sharees: Cell = { ...ownerOnly, share_viewer: 'snapshot', sharee: 'snapshot' };
/** In a list, only the named sharee sees a share's object (`shared_with_me`). */
const listed: Cell = { ...ownerOnly, sharee: 'snapshot' };
const everybody: Cell = Object.fromEntries(actors.map((actor) => [actor, 'live']));
const changes = { update: ownerOnly, delete: ownerOnly, undo: ownerOnly };

/** An operation that is missing for a kind does not exist for it. */
export const permissions: Readonly<Record<ObjectKind, Partial<Record<Operation, Cell>>>> = {
  model: {
    list: listed,
    view: sharees,
    view_version: ownerOnly,
    versions: ownerOnly,
    ...changes,
    share: ownerOnly,
    invoke: ownerOnly,
    download: ownerOnly,
  },
  /** Shares open it only as a member of a project. */
  data: {
    list: ownerOnly,
    view: sharees,
    view_version: ownerOnly,
    versions: ownerOnly,
    ...changes,
  },
  experiment: {
    list: listed,
    view: sharees,
    sampledata: sharees,
    draws: sharees,
    summary: sharees,
    stdlog: ownerOnly,
    cloudwatch_log: ownerOnly,
    run_info: ownerOnly,
    log: ownerOnly,
    view_analyzer: sharees,
    live: sharees,
    ...changes,
    share: ownerOnly,
    download: ownerOnly,
  },
  workflow: {
    list: listed,
    view: sharees,
    view_analyzer: sharees,
    ...changes,
    share: ownerOnly,
    invoke: ownerOnly,
    download: ownerOnly,
  },
  /** A share of it opens its members too, each with its own share id. */
  project: { list: listed, view: sharees, ...changes, share: ownerOnly },
  /** Anyone who has the id of a share may ask whether it needs a password, and nothing else. */
  share: { list: ownerOnly, view: everybody, ...changes },
  /** An update fires it. */
  event: { list: ownerOnly, view: ownerOnly, ...changes },
  callback: { list: ownerOnly, view: ownerOnly, ...changes },
  relation: { list: ownerOnly, view: ownerOnly, delete: ownerOnly, undo: ownerOnly },
};

/** The server's own functions (tags `builtin` and `code`): every signed-in user may list, see and call them. */
const signedIn: Cell = { sharee: 'live', owner: 'live', other: 'live', super: 'live' };
export const builtinFunction: Partial<Record<Operation, Cell>> = {
  list: signedIn,
  view: signedIn,
  invoke: signedIn,
};

/** Null = denied. */
export function accessOf(kind: ObjectKind, operation: Operation, actor: Actor): Access | null {
  return permissions[kind][operation]?.[actor] ?? null;
}

/** Whether anyone but the owner and a super user can have this at all: only then are shares looked up. */
export function isOpenToShares(kind: ObjectKind, operation: Operation): boolean {
  const cell = permissions[kind][operation];
  return cell?.share_viewer !== undefined || cell?.sharee !== undefined;
}
