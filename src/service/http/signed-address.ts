/** Addresses of files that need no header: each contains a signed grant and expires after an hour. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const lifeSeconds = 3600;

/**
 * The share that gave out an address, and which of its passwords admitted the caller: the file is refused once the
 * share has ended or its password has changed.
 */
export interface ShareGrant {
  readonly share: string;
  readonly passwordVersion: number;
}

export type FileGrant =
  | ({
      readonly kind: 'draws';
      readonly experiment: string;
      /** Its name in the file store. */
      readonly file: string;
    } & Partial<ShareGrant>)
  | ({ readonly kind: 'data'; readonly id: string; readonly version: number } & Partial<ShareGrant>)
  /** The data an experiment was run on, for its owner and for shares that include them. */
  | ({ readonly kind: 'frozen_data'; readonly experiment: string } & Partial<ShareGrant>)
  /** The result of an analysis of a workflow or experiment: pages are shown in a sandbox, other files saved. */
  | ({
      readonly kind: 'analysis';
      readonly objid: string;
      readonly hash: string;
      readonly isPage: boolean;
    } & Partial<ShareGrant>);

export interface AddressSigner {
  /** Path and name, to be appended to the service's address. */
  sign(grant: FileGrant, fileName: string): string;
  /** Null if the ticket or the name differs from what was signed, or the hour is over. */
  verify(ticket: string, fileName: string): FileGrant | null;
}

/** `now`: milliseconds since the epoch. */
export function createAddressSigner(serverKey: Uint8Array, now: () => number): AddressSigner {
  const mac = (text: string, fileName: string) =>
    createHmac('sha256', serverKey)
      .update(`file address\n${text}\n${fileName}`)
      .digest('base64url');
  return {
    sign(grant, fileName) {
      const end = Math.floor(now() / 1000) + lifeSeconds;
      const text = Buffer.from(JSON.stringify({ ...grant, end })).toString('base64url');
      return `/files/${text}.${mac(text, fileName)}/${encodeURIComponent(fileName)}`;
    },
    verify(ticket, fileName) {
      const dot = ticket.indexOf('.');
      const text = ticket.slice(0, Math.max(dot, 0));
      // compares texts, not the bytes they decode to: a decoder ignores unknown characters
      const given = Buffer.from(ticket.slice(dot + 1));
      const right = Buffer.from(mac(text, fileName));
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      const { end, ...grant } = JSON.parse(
        Buffer.from(text, 'base64url').toString(),
      ) as FileGrant & { end: number };
      return end * 1000 > now() ? (grant as FileGrant) : null;
    },
  };
}
