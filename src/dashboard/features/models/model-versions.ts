/** A model's earlier states: numbered versions, snapshots of shares, and the differences between two of them. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Model, ModelContent } from '../../../contract/model.ts';
import { decodeText } from '../../../formats/model-tree.ts';
import { fileBytes, fromContent, listFiles } from '../../editor/file-tree.ts';
import { isSameBytes } from '../../editor/tree-nodes.ts';
import { objectKeys } from '../../objects/query-keys.ts';

export interface ModelVersion {
  readonly version: number;
  readonly created_at: string;
  readonly note?: string;
}

/** Newest first. `version`: the newest one known here; a newer one gets another list. */
export function versionsQueryOptions(client: Client, id: string, version: number | undefined) {
  return queryOptions({
    queryKey: objectKeys('model').part(id, ['versions', version]),
    queryFn: async ({ signal }): Promise<readonly ModelVersion[]> =>
      (await client.listVersions({ params: { objid: id }, signal })).versions,
  });
}

/** `name`: the number of a version (`3`), or the id of a share, which then gives its frozen files. */
export function frozenQueryOptions(client: Client, id: string, name: string) {
  return queryOptions({
    queryKey: objectKeys('model').part(id, ['frozen', name]),
    queryFn: async ({ signal }): Promise<Model> => {
      const query = name.startsWith('S') ? { share_id: name } : { version: Number(name) };
      return expectKind(await client.viewObject({ params: { objid: id }, query, signal }), 'model');
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface FrozenFile {
  readonly path: string;
  /** Null: does not exist. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  readonly change: 'same' | 'added' | 'removed' | 'edited';
}

/** All files of both, in the order of `after`, then those only in `before`. Null: nothing to compare with. */
export function compareContents(before: ModelContent | null, after: ModelContent): FrozenFile[] {
  const now = bytesByPath(after);
  const then = before === null ? now : bytesByPath(before);
  return [...new Set([...now.keys(), ...then.keys()])].map((path): FrozenFile => {
    const [x, y] = [then.get(path) ?? null, now.get(path) ?? null];
    const change = isSameBytes(x, y)
      ? 'same'
      : x === null
        ? 'added'
        : y === null
          ? 'removed'
          : 'edited';
    return { path, before: x, after: y, change };
  });
}

function bytesByPath(content: ModelContent): Map<string, Uint8Array> {
  const files = listFiles(fromContent(content));
  return new Map(files.map(({ entry, path }) => [path, fileBytes(entry)]));
}

/** "2 files, +3 −1 lines"; binary files count as files only. */
export function changeSize(files: readonly FrozenFile[]): string {
  const changed = files.filter(({ change }) => change !== 'same');
  if (changed.length === 0) return 'no file changed';
  let added = 0;
  let removed = 0;
  for (const { before, after } of changed) {
    const [x, y] = [linesOf(before), linesOf(after)];
    if (x === null || y === null) continue;
    const counts = new Map<string, number>();
    for (const line of x) counts.set(line, (counts.get(line) ?? 0) + 1);
    let kept = 0;
    for (const line of y) {
      const left = counts.get(line) ?? 0;
      if (left === 0) continue;
      counts.set(line, left - 1);
      kept++;
    }
    added += y.length - kept;
    removed += x.length - kept;
  }
  const text = changed.length === 1 ? '1 file' : `${changed.length} files`;
  const unit = added + removed === 1 ? 'line' : 'lines';
  return added + removed === 0 ? text : `${text}, +${added} −${removed} ${unit}`;
}

/** Null: not text. */
function linesOf(bytes: Uint8Array | null): string[] | null {
  if (bytes === null || bytes.length === 0) return [];
  const text = decodeText(bytes);
  return text === null ? null : text.replace(/\n$/, '').split('\n');
}
