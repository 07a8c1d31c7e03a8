/** Data: versioned bytes, sent, fetched or taken from the gallery. */
import type { Data } from '../../contract/data.ts';
import { limits } from '../../contract/limits.ts';
import { ownerName } from '../auth/user-names.ts';
import { decodeData } from '../content/data-format.ts';
import type { CoreContext, WebContext } from '../context.ts';
import { findByAddress, insertGalleryData } from '../gallery/gallery.ts';
import { notFound, orNotFound } from '../http/service-error.ts';
import { authorize } from '../policy/authorize.ts';
import { grantOf, type Snapshot, snapshotEntry, snapshotOf } from '../policy/share-snapshot.ts';
import {
  type DataContent,
  type DataRow,
  findData,
  findDataVersion,
  insertData,
  listData,
  listDataVersions,
  updateData,
} from '../repositories/data.ts';
import type { Executor } from '../repositories/database.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import type { ShareRow } from '../repositories/shares.ts';
import { refuseStale, viewRequest } from './call-checks.ts';
import type { Caller, ChangePayload, CreatePayload, Kind, Target, ViewCall } from './kind.ts';

export const data: Kind<'data', DataRow> = {
  create,
  change,
  list: listData,
  toWire,
  view,
  freeze,
  versions: listDataVersions,
};

/** `path`: signed address of the bytes; empty in lists. */
function toWire(row: DataRow, path = ''): Data {
  return {
    object_type: 'data',
    id: row.row_number,
    short_id: row.short_id,
    name: row.name,
    description: row.description,
    created_at: row.created_at,
    updated_at: row.updated_at,
    path,
    fmt: row.fmt,
    tags: row.tags.filter((tag) => tag === 'anonymous'),
    version: row.version,
    size: row.size,
    owner: ownerName(row),
  };
}

async function create(
  context: CoreContext,
  { user, prepared }: Caller,
  payload: CreatePayload<'data'>,
): Promise<Data> {
  const { pool } = context;
  const { name, description, tags } = payload;
  const entry = findByAddress(payload.data_uri);
  if (entry !== null) return toWire(await insertGalleryData(pool, user.id, entry));
  const content = (await takeContent(context, payload, prepared?.data)) ?? {
    bytes: new Uint8Array(),
    fmt: 'raw',
  };
  return toWire(
    await insertData(pool, { ownerId: user.id, name, description, tags: tags ?? [], content }),
  );
}

async function change(
  context: CoreContext,
  { object, prepared }: Target,
  payload: ChangePayload<'data'>,
): Promise<Data> {
  const { pool } = context;
  const { name, description, base_version: baseVersion } = payload;
  const content = await takeContent(context, payload, prepared.data);
  refuseStale(await updateData(pool, object.id, { name, description, baseVersion, content }));
  const row = orNotFound(await findData(pool, object.short_id));
  return toWire(row);
}

interface SentData {
  readonly data?: string | null;
  readonly base64_encoded: boolean;
  readonly data_uri?: string | null;
}

/**
 * An address takes precedence over text; `decoded`: the text, if already read. Null if nothing was sent. Throws
 * INVALID_PARAMETER if the text is not base64 though declared so, and the fetcher's errors.
 */
async function takeContent(
  context: CoreContext,
  { data: text, base64_encoded: isBase64, data_uri: uri }: SentData,
  decoded?: DataContent,
): Promise<DataContent | null> {
  if (uri) return fetchContent(context, uri);
  if (decoded !== undefined) return decoded;
  if (text === undefined || text === null) return null;
  return decodeData(text, isBase64);
}

async function fetchContent(
  { fetcher, reading }: CoreContext,
  address: string,
): Promise<DataContent> {
  const { bytes } = await fetcher.fetch(address, {
    maxBytes: limits.body_bytes,
    timeoutMs: 60_000,
  });
  // In a thread: megabytes of JSON take seconds to read.
  const fmt = await reading.run('dataFormat', { bytes });
  return { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), fmt };
}

/** Live, or as a share of a project froze it. */
async function view(context: WebContext, call: ViewCall): Promise<Data> {
  const { query, baseUrl } = call;
  const access = await authorize(context, viewRequest(call));
  if (access.mode !== 'live') return viewShared(context, access.share, baseUrl);
  const row = await findData(context.pool, access.object.short_id);
  const found = row && (await findDataVersion(context.pool, row.id, query.version));
  if (row === null || !found) throw notFound('There is no such version.');
  const { version, fmt, size } = found;
  const grant = { kind: 'data', id: row.short_id, version } as const;
  const path = baseUrl + context.signer.sign(grant, row.name);
  return toWire({ ...row, version, fmt, size }, path);
}

function viewShared({ signer }: WebContext, share: ShareRow, baseUrl: string): Data {
  const frozen = snapshotEntry(share) as Data;
  const { version = 0 } = snapshotOf(share);
  const grant = { kind: 'data', id: share.object_short_id, version, ...grantOf(share) } as const;
  return { ...frozen, path: baseUrl + signer.sign(grant, frozen.name) };
}

/** Fields and a version, whose bytes do not change. Data are shared only as members of a project. */
async function freeze(tx: Executor, object: ObjectRow): Promise<Snapshot> {
  // it may have been deleted since access was granted
  const row = orNotFound(await findData(tx, object.short_id));
  const shown = toWire(row);
  delete shown.owner;
  return { view: shown, version: row.version };
}
