/** A data object with a given text: an existing one if possible, so that clicking again makes no copies. */
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import { readDataObject } from './data-content.ts';

/** Returns its id. Reads only objects of the same name and size. Throws `ApiError`. */
export async function dataWithText(
  client: Client,
  datas: readonly Data[],
  { name, text }: { readonly name: string; readonly text: string },
): Promise<string> {
  const size = new TextEncoder().encode(text).length;
  for (const data of datas) {
    if (data.name !== name || (data.size !== undefined && data.size !== size)) continue;
    const there = await readDataObject(client, data.short_id).catch(() => null);
    if (there?.text === text) return data.short_id;
  }
  const payload = { object_type: 'data' as const, name, data: text };
  return expectKind(await client.createObject({ body: { payload } }), 'data').short_id;
}
