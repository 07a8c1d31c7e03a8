/** Sends data to the server, and reports how much has been sent. */
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Data } from '../../../contract/data.ts';
import type { UpdatePayload } from '../../../contract/objects.ts';

/** One of: bytes of a file, text, or an address that the server fetches. */
export type DataSource =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'address'; readonly address: string };

export interface Sending {
  readonly signal?: AbortSignal;
  /** Bytes of the request sent so far, and their total. */
  readonly onUpload?: (sent: number, total: number) => void;
}

function contentOf(source: DataSource) {
  if (source.kind === 'address') return { data_uri: source.address };
  if (source.kind === 'text') return { data: source.text };
  return { data: base64Of(source.bytes), base64_encoded: true };
}

export async function createData(
  client: Client,
  name: string,
  source: DataSource,
  sending: Sending = {},
): Promise<Data> {
  const payload = { object_type: 'data' as const, name, ...contentOf(source) };
  return expectKind(await client.createObject({ body: { payload }, ...sending }), 'data');
}

/** The next version. `baseVersion`: if it is not the newest, CONFLICT; undefined: the last write wins. */
export async function sendVersion(
  client: Client,
  { id, baseVersion }: { readonly id: string; readonly baseVersion: number | undefined },
  source: DataSource,
  sending: Sending = {},
): Promise<Data> {
  const base = baseVersion === undefined ? {} : { base_version: baseVersion };
  return changeData(client, id, { ...contentOf(source), ...base }, sending);
}

type DataChange = Omit<Extract<UpdatePayload, { object_type: 'data' }>, 'object_type'>;

/** Returns the data as stored: servers that follow the documentation do not return them. */
export async function changeData(
  client: Client,
  id: string,
  change: DataChange,
  sending: Sending = {},
): Promise<Data> {
  const params = { objid: id };
  const payload = { object_type: 'data' as const, ...change };
  const answer = await client.updateObject({ params, body: { payload }, ...sending });
  return expectKind(answer ?? (await client.viewObject({ params })), 'data');
}

/** Standard base64 of bytes, in chunks: spreading millions of arguments would overflow the stack. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
