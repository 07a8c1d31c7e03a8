/** All rows of a list, page by page, for export. */
import type { Client } from '../../../client/create-client.ts';
import { maxPageSize, type ObjectKind } from '../../../contract/common.ts';
import type { ListQuery } from '../../../contract/objects.ts';
import type { EntryOf } from '../../objects/object-queries.ts';
import { mostExported } from './use-object-list.ts';

export interface ExportedRows<K extends ObjectKind> {
  readonly rows: readonly EntryOf<K>[];
  /** Total number on the server. */
  readonly total: number;
}

export interface ExportOrder<K extends ObjectKind> {
  readonly kind: K;
  readonly filters: Partial<Omit<ListQuery, 'object_type'>>;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/** Contains each row only once, even if it moves to a later page during reading. Throws `ApiError`. */
export async function exportRows<K extends ObjectKind>(
  client: Client,
  { kind, filters, onProgress, signal }: ExportOrder<K>,
): Promise<ExportedRows<K>> {
  const rows = new Map<string, EntryOf<K>>();
  let total = 0;
  for (let page = 1; (page - 1) * maxPageSize < mostExported; page += 1) {
    const query = { ...filters, object_type: kind, page_no: page, page_size: maxPageSize };
    const answer = await client.listObjects({ query, signal });
    for (const object of answer.objects) {
      if (object.object_type === kind) rows.set(object.short_id, object as EntryOf<K>);
    }
    total = answer.total;
    onProgress(Math.min(total, page * maxPageSize), Math.min(total, mostExported));
    if (answer.objects.length === 0 || page * maxPageSize >= total) break;
  }
  return { rows: [...rows.values()].slice(0, mostExported), total };
}
