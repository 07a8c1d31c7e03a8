import { describe, expect, it } from 'vitest';
import { objectKinds } from '../../src/contract/common.ts';
import {
  accessOf,
  actors,
  isOpenToShares,
  operations,
  permissions,
} from '../../src/contract/permissions.ts';

describe('the permission matrix', () => {
  it('gives anonymous callers, other users and viewers without the password only the view of a share', () => {
    for (const kind of objectKinds) {
      for (const operation of operations) {
        for (const actor of ['anonymous', 'other', 'share_viewer_without_password'] as const) {
          const expected = kind === 'share' && operation === 'view' ? 'live' : null;
          expect([kind, operation, actor, accessOf(kind, operation, actor)]).toEqual([
            kind,
            operation,
            actor,
            expected,
          ]);
        }
      }
    }
  });

  it('gives sharees snapshots only, and no operation that changes, logs or starts anything', () => {
    const never = [
      'update',
      'delete',
      'undo',
      'share',
      'invoke',
      'log',
      'stdlog',
      'cloudwatch_log',
      'run_info',
      'versions',
    ] as const;
    for (const kind of objectKinds.filter((name) => name !== 'share')) {
      for (const actor of ['sharee', 'share_viewer'] as const) {
        for (const operation of operations)
          expect(accessOf(kind, operation, actor)).not.toBe('live');
        for (const operation of never) expect(accessOf(kind, operation, actor)).toBeNull();
      }
    }
  });

  it('denies what it does not list', () => {
    expect(permissions.data.share).toBeUndefined();
    for (const actor of actors) expect(accessOf('data', 'invoke', actor)).toBeNull();
    // only as members of projects
    expect(isOpenToShares('data', 'view')).toBe(true);
    for (const name of ['list', 'view_version', 'versions'] as const)
      expect(isOpenToShares('data', name)).toBe(false);
    expect(isOpenToShares('model', 'view')).toBe(true);
  });
});
