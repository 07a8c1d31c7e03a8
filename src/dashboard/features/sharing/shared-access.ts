/**
 * How a viewer gets in: first whether a password is needed, then the object with it.
 *
 * The password lives in memory, and in this tab's session storage when the viewer asks; it is sent in its header only.
 */
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import type { View } from '../../../contract/objects.ts';

export type Opening =
  | { readonly state: 'open'; readonly object: View; readonly password: string | undefined }
  | { readonly state: 'locked'; readonly refusal: string | null }
  /** Revoked, ended, or never there. */
  | { readonly state: 'gone'; readonly message: string };

const storageKey = (shareId: string) => `ergodic.share.${shareId}`;

export function rememberedPassword(shareId: string): string | undefined {
  return sessionStorage.getItem(storageKey(shareId)) ?? undefined;
}

export function rememberPassword(shareId: string, password: string): void {
  sessionStorage.setItem(storageKey(shareId), password);
}

/** Tries to open a snapshot. Throws what is neither a refusal nor an end: offline, server faults. */
export async function openShare(
  client: Client,
  ids: { objectId: string; shareId: string },
  password: string | undefined,
): Promise<Opening> {
  const { objectId, shareId } = ids;
  if (password === undefined && (await needsPassword(client, shareId)))
    return { state: 'locked', refusal: null };
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

/** False when the server cannot say: then the object itself is asked for. */
async function needsPassword(client: Client, shareId: string): Promise<boolean> {
  try {
    const answer = await client.viewObject({ params: { objid: shareId } });
    return 'require_password' in answer && answer.require_password;
  } catch (error) {
    if (ApiError.from(error).kind === 'http') return false;
    throw error;
  }
}

function refusalOf(error: ApiError, tried: boolean): Opening {
  if (error.code === 'PERMISSION_DENIED') {
    return { state: 'locked', refusal: tried ? 'Not the right password. Try it again.' : null };
  }
  if (error.code === 'RATE_LIMITED') {
    const wait = error.retryAfterSeconds;
    return {
      state: 'locked',
      refusal: `Too many tries. Wait ${wait === null ? 'a little' : waitWords(wait)}, then try again.`,
    };
  }
  if (error.code === 'NOT_FOUND') {
    return {
      state: 'gone',
      message: 'This link leads nowhere any more. Its owner may have revoked it, or it has ended.',
    };
  }
  throw error;
}

function waitWords(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
