/** Addresses of files that need no header: what they open is in them, signed, and ends in an hour. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const lifeSeconds = 3600;

/**
 * The share an address was given out by, and which of its passwords admitted the caller: the file is refused once the
 * share has ended or its password is another.
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
  /** What an analysis of a workflow or experiment made: pages are shown in a sandbox, other files saved. */
  | ({
      readonly kind: 'analysis';
      readonly objid: string;
      readonly hash: string;
      readonly isPage: boolean;
    } & Partial<ShareGrant>);

export interface AddressSigner {
  /** Path and name, to be put behind the service's address. */
  sign(grant: FileGrant, fileName: string): string;
  /** Null when ticket or name are not as they were signed, or the hour is over. */
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
      // texts are compared, not the bytes they decode to: a decoder skips what it does not know
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
