/** `/files`: serves signed addresses. The address is the permission, for an hour. */
import type { FastifyInstance } from 'fastify';
import { openAnalysis } from '../analysis/view-analysis.ts';
import type { WebContext } from '../context.ts';
import { permissionDenied } from '../http/service-error.ts';
import type { FileGrant } from '../http/signed-address.ts';
import { sendAttachment, sendSandboxed, type UserBytes } from '../http/user-bytes.ts';
import { findBlob } from '../repositories/blobs.ts';
import { findData, findDataBytes } from '../repositories/data.ts';
import { findExperiment, findFrozen } from '../repositories/experiments.ts';
import { findLiveShare } from '../repositories/shares.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  tar: 'application/x-tar',
};
const unknownType = 'application/octet-stream';

export function addFileRoutes(app: FastifyInstance, context: WebContext): void {
  app.get<{ Params: { ticket: string; name: string } }>(
    '/files/:ticket/:name',
    { config: { policy: 'signed' } },
    async (request, reply) => {
      const { ticket, name } = request.params;
      const grant = context.signer.verify(ticket, name);
      const elsewhere = grant === null ? null : await addressElsewhere(context, grant, name);
      if (elsewhere !== null) return reply.header('cache-control', 'no-store').redirect(elsewhere);
      const file = grant === null ? null : await openFile(context, grant);
      if (file === null) throw permissionDenied('This address has expired; request a new one.');
      if (grant?.kind === 'analysis' && grant.isPage)
        return sendSandboxed(reply, { ...file, fileName: name }, frameOrigins(context));
      return sendAttachment(reply, { ...file, fileName: name });
    },
  );
}

/** Origins that may frame a page, in addition to this one. */
function frameOrigins({ config }: WebContext): string[] {
  const own = config.publicUrl === '' ? [] : [new URL(config.publicUrl).origin];
  return [...own, ...config.allowedOrigins];
}

type File = Omit<UserBytes, 'fileName'>;

/** Whether the share is unchanged since it gave out the address; always true for an owner's address. */
async function isStillShared({ pool }: WebContext, grant: FileGrant): Promise<boolean> {
  if (!('share' in grant) || grant.share === undefined) return true;
  const share = await findLiveShare(pool, grant.share);
  return share !== null && share.password_version === grant.passwordVersion;
}

/** The store's own address of the draws, if it has one: given only for accessible files, valid for a minute. */
async function addressElsewhere(
  context: WebContext,
  grant: FileGrant,
  fileName: string,
): Promise<string | null> {
  const { pool, files } = context;
  if (grant.kind !== 'draws' || !(await isStillShared(context, grant))) return null;
  if ((await findExperiment(pool, grant.experiment)) === null) return null;
  return files.addressOf(grant.file, { fileName, mediaType: typeOfFile(grant.file) });
}

/** Null once the object was deleted, or the share has ended or changed its password. */
async function openFile(context: WebContext, grant: FileGrant): Promise<File | null> {
  const { pool, files } = context;
  if (!(await isStillShared(context, grant))) return null;
  switch (grant.kind) {
    case 'data': {
      const row = await findData(pool, grant.id);
      const bytes = row && (await findDataBytes(pool, row.id, grant.version));
      return row && bytes && bytesOf(bytes, row.fmt);
    }
    case 'frozen_data': {
      const row = await findExperiment(pool, grant.experiment);
      const frozen = row && (await findFrozen(pool, row.id));
      const bytes = frozen?.dataHash ? await findBlob(pool, frozen.dataHash) : null;
      return bytes && bytesOf(bytes, frozen?.dataFmt ?? 'raw');
    }
    case 'draws': {
      const row = await findExperiment(pool, grant.experiment);
      const stored = row && (await files.open(grant.file));
      const mediaType = typeOfFile(grant.file);
      return stored && { body: stored.stream, size: stored.size, mediaType };
    }
    case 'analysis':
      return openAnalysis(context, grant);
    default:
      return null;
  }
}

const typeOfFile = (file: string) =>
  mediaTypes[file.slice(file.lastIndexOf('.') + 1)] ?? unknownType;

function bytesOf(bytes: Buffer, fmt: string): File {
  return { body: bytes, size: bytes.byteLength, mediaType: mediaTypes[fmt] ?? unknownType };
}
