/** Addresses of files that need no header: what they open is in them, signed, and ends in an hour. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const lifeSeconds = 3600;

/** `share`: id of the share the address was given out by; the file is refused once that has ended. */
export type FileGrant =
  | {
      readonly kind: 'draws';
      readonly experiment: string;
      /** Its name in the file store. */
      readonly file: string;
      readonly share?: string;
    }
  | { readonly kind: 'data'; readonly id: string; readonly version: number }
  /** The data an experiment was run on, as a share that includes them shows them. */
  | { readonly kind: 'frozen_data'; readonly experiment: string; readonly share: string }
  /** What an analysis of a workflow or experiment made: pages are shown in a sandbox, other files saved. */
  | {
      readonly kind: 'analysis';
      readonly objid: string;
      readonly hash: string;
      readonly isPage: boolean;
      readonly share?: string;
    };

export interface AddressSigner {
  /** Path and name, to be put behind the service's address. */
  sign(grant: FileGrant, fileName: string): string;
  /** Null when the signature is wrong or the hour is over. */
  verify(ticket: string): FileGrant | null;
}

/** `now`: milliseconds since the epoch. */
export function createAddressSigner(serverKey: Uint8Array, now: () => number): AddressSigner {
  const mac = (text: string) =>
    createHmac('sha256', serverKey).update(`file address\n${text}`).digest();
  return {
    sign(grant, fileName) {
      const end = Math.floor(now() / 1000) + lifeSeconds;
      const text = Buffer.from(JSON.stringify({ ...grant, end })).toString('base64url');
      return `/files/${text}.${mac(text).toString('base64url')}/${encodeURIComponent(fileName)}`;
    },
    verify(ticket) {
      const [text = '', signature = ''] = ticket.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = mac(text);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      const { end, ...grant } = JSON.parse(
        Buffer.from(text, 'base64url').toString(),
      ) as FileGrant & {
        end: number;
      };
      return end * 1000 > now() ? (grant as FileGrant) : null;
    },
  };
}
