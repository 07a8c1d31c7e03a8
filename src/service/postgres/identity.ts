/** Who runs PostgreSQL (it refuses to run as root) and which folders that user can enter. */
import fs from 'node:fs';
import path from 'node:path';

export interface Identity {
  /** Set only when we are root and switch to another user. */
  readonly drop: { readonly uid: number; readonly gid: number } | null;
  readonly uid: number;
  readonly gid: number;
}

/** The user id that Linux systems assign to `nobody`. */
const NOBODY = 65534;

export function currentIdentity(): Identity {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  if (process.platform === 'win32' || uid !== 0) return { drop: null, uid, gid };
  return { drop: { uid: NOBODY, gid: NOBODY }, uid: NOBODY, gid: NOBODY };
}

/** Whether `identity` may enter `folder` and all folders on the way to it; missing ones are skipped. */
export function canEnter(folder: string, identity: Identity): boolean {
  if (identity.drop === null) return true;
  for (let step = path.resolve(folder); ; step = path.dirname(step)) {
    const stat = statOrNull(step);
    if (stat !== null) {
      const bit = stat.uid === identity.uid ? 0o100 : stat.gid === identity.gid ? 0o010 : 0o001;
      if ((stat.mode & bit) === 0) return false;
    }
    if (step === path.dirname(step)) return true;
  }
}

function statOrNull(file: string): fs.Stats | null {
  try {
    return fs.statSync(file);
  } catch {
    return null;
  }
}

/** Creates `folder` (and parents), private to `identity`; an existing folder changes its owner. */
export function makePrivateFolder(folder: string, identity: Identity): void {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (identity.drop !== null) fs.chownSync(folder, identity.uid, identity.gid);
}
