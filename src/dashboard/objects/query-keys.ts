/**
 * Every key of the cache; no other file writes one.
 *
 * <kind>        → lists → list(what the server was asked)
 *               → details → one(id) → detail(id, share) → part(id, names, share)
 * system        → config | gallery | openapi
 * account       → user | tokens | linked | teams | space | views › list
 * queue
 * notifications → unread | list(status, page)
 */
import type { ObjectKind } from '../../contract/common.ts';

/** `share`: the id of the share being read; undefined: the object as it is now. */
type ShareId = string | undefined;

export function objectKeys(kind: ObjectKind) {
  const all = [`${kind}s`] as const;
  const lists = [...all, 'lists'] as const;
  const details = [...all, 'details'] as const;
  const one = (id: string) => [...details, id] as const;
  const detail = (id: string, share?: ShareId) => [...one(id), share ?? 'live'] as const;
  return {
    all,
    lists,
    list: (...asked: readonly unknown[]) => [...lists, ...asked] as const,
    /** All that is cached of one object, now and as shares show it. */
    one,
    detail,
    /** Keys that belong to one object and become stale with it. */
    part: (id: string, names: readonly unknown[], share?: ShareId) =>
      [...detail(id, share), ...names] as const,
  };
}

export const systemKeys = {
  config: ['system', 'config'] as const,
  gallery: ['system', 'gallery'] as const,
  openApi: ['system', 'openapi'] as const,
};

export const queueKey = ['queue'] as const;

export const accountKeys = {
  user: ['account', 'user'] as const,
  tokens: ['account', 'tokens'] as const,
  linked: ['account', 'linked'] as const,
  teams: ['account', 'teams'] as const,
  space: ['account', 'space'] as const,
  views: (list: string) => ['account', 'views', list] as const,
};

export const notificationKeys = {
  all: ['notifications'] as const,
  unread: ['notifications', 'unread'] as const,
  list: (status: string, page: number) => ['notifications', 'list', status, page] as const,
};
