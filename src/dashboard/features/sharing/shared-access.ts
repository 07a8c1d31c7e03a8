/**
 * How a viewer gains access: first whether a password is needed, then the object with it.
 *
 * The password is stored in memory, and in this tab's session storage on request; it is sent only in its header.
 */
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import type { View } from '../../../contract/objects.ts';
import { readStored, writeStored } from '../../ui/stored-text.ts';

export type Opening =
  | { readonly state: 'open'; readonly object: View; readonly password: string | undefined }
  | { readonly state: 'locked'; readonly refusal: string | null }
  /** Revoked, expired, or never existed. */
  | { readonly state: 'gone'; readonly message: string };

const inTab = () => sessionStorage;
const storageKey = (shareId: string) => `ergodic.share.${shareId}`;

export function rememberedPassword(shareId: string): string | undefined {
  return readStored(storageKey(shareId), inTab) || undefined;
}

/** Only a password that has opened the share is remembered: a wrong one would cost an attempt at each visit. */
export function rememberPassword(shareId: string, password: string): void {
  writeStored(storageKey(shareId), password, inTab);
}

export function forgetPassword(shareId: string): void {
  writeStored(storageKey(shareId), '', inTab);
}

/** Tries to open a snapshot. Throws anything except a refusal or an expired share: offline, server faults. */
export async function openShare(
  client: Client,
  ids: { objectId: string; shareId: string },
  password: string | undefined,
): Promise<Opening> {
  const { objectId, shareId } = ids;
  if (password === undefined) {
    const protection = await findProtection(client, shareId);
    if (protection === 'password') return { state: 'locked', refusal: null };
    if (protection === 'none') return gone;
  }
  try {
    const object = await client.viewObject({
      params: { objid: objectId },
      query: { share_id: shareId },
      sharePassword: password,
    });
    return { state: 'open', object, password };
  } catch (error) {
    return refusalOf(ApiError.from(error), password !== undefined);
  }
}

const gone: Opening = {
  state: 'gone',
  message: 'This link no longer works. Its owner may have revoked it, or it has expired.',
};

/**
 * What a share requires; `unknown` if the server has no endpoint for shares, so that the object itself is requested.
 * NOT_FOUND means "no such share" only from a server that declares full support for shares (`share_options`).
 */
async function findProtection(
  client: Client,
  shareId: string,
): Promise<'open' | 'password' | 'none' | 'unknown'> {
  try {
    const answer = await client.viewObject({ params: { objid: shareId } });
    if (!('require_password' in answer)) return 'unknown';
    return answer.require_password ? 'password' : 'open';
  } catch (error) {
    const { kind, code } = ApiError.from(error);
    if (kind !== 'http') throw error;
    if (code !== 'NOT_FOUND') return 'unknown';
    const config = await client.viewConfig().catch(() => null);
    return config?.capabilities.includes('share_options') ? 'none' : 'unknown';
  }
}

function refusalOf(error: ApiError, tried: boolean): Opening {
  if (error.code === 'PERMISSION_DENIED') {
    return { state: 'locked', refusal: tried ? 'Wrong password. Try again.' : null };
  }
  if (error.code === 'RATE_LIMITED') {
    const wait = error.retryAfterSeconds;
    return {
      state: 'locked',
      refusal: `Too many tries. Wait ${wait === null ? 'a moment' : waitText(wait)}, then try again.`,
    };
  }
  if (error.code === 'NOT_FOUND') return gone;
  throw error;
}

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
