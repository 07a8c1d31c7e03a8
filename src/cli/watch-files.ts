/** Reads a file as it grows while another program writes it. */
import { open, readdir, stat } from 'node:fs/promises';
import { createStanCsvFollower, type StanCsvFollower } from '../formats/stan-csv-follower.ts';
import { StanCsvError } from '../formats/stan-csv-parser.ts';

/** The file system, as far as a watch needs it. */
export interface FileSource {
  /** Names in a folder; null: there is no such folder. */
  list(folder: string): Promise<string[] | null>;
  /** Null: there is no such file. `modified`: milliseconds since the epoch. */
  stat(path: string): Promise<{ readonly size: number; readonly modified: number } | null>;
  read(path: string, from: number, length: number): Promise<Uint8Array>;
}

export const diskFiles: FileSource = {
  list: (folder) => orNull(readdir(folder)),
  async stat(path) {
    const found = await orNull(stat(path));
    return found?.isFile() ? { size: found.size, modified: found.mtimeMs } : null;
  },
  async read(path, from, length) {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  },
};

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ESTALE: a file on a network drive was just replaced
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESTALE') return null;
    throw error;
  }
}

/** Bytes of the start that tell a run's file from the next run's of the same name: they contain seed and time. */
const START_BYTES = 4096;
/** Bytes per read, and draws that may be waiting before more are read. */
const BITE = 2 ** 20;
const MOST_WAITING = 5000;

export class FollowedFile {
  follower: StanCsvFollower = createStanCsvFollower();
  /** What is wrong with it, as a sentence; null: nothing. A file with a problem is not read further. */
  problem: string | null = null;
  /** When it was last seen to grow, in milliseconds of the clock. */
  grewAt: number;
  /** The file has more than was read. */
  hasMore = false;
  modified = 0;
  /** 1 at first, incremented each time the file starts over. */
  attempt = 1;
  private offset = 0;
  private start = new Uint8Array(0);
  private decoder = makeDecoder();

  constructor(
    readonly path: string,
    now: number,
  ) {
    this.grewAt = now;
  }

  /** Reads what was added. True: the file started over with another run's content, and `follower` is new. */
  async poll(source: FileSource, now: number): Promise<boolean> {
    this.hasMore = false;
    const found = await source.stat(this.path);
    if (found === null) return false;
    this.modified = found.modified;
    if (found.size === this.offset) return false;
    const isAgain = this.offset > 0 && (await this.beganAgain(source, found.size));
    if (isAgain) this.forget();
    if (this.problem !== null || this.follower.waiting() >= MOST_WAITING) {
      this.hasMore = this.problem === null;
      return isAgain;
    }
    const bytes = await source.read(this.path, this.offset, BITE);
    this.take(bytes, now);
    this.hasMore = this.offset < found.size && bytes.length === BITE;
    return isAgain;
  }

  /** Truncated, or replaced by a file with another start. A fresh copy of it is the same file. */
  private async beganAgain(source: FileSource, size: number): Promise<boolean> {
    if (size < this.offset) return true;
    const now = await source.read(this.path, 0, this.start.length);
    return Buffer.compare(now, this.start) !== 0;
  }

  private forget(): void {
    this.follower = createStanCsvFollower();
    this.problem = null;
    this.attempt++;
    this.offset = 0;
    this.start = new Uint8Array(0);
    this.decoder = makeDecoder();
  }

  private take(read: Uint8Array, now: number): void {
    // a network file system shows zeros until the bytes have arrived
    const hole = read.indexOf(0);
    const bytes = hole === -1 ? read : read.subarray(0, hole);
    if (bytes.length === 0) return;
    const room = START_BYTES - this.start.length;
    if (room > 0) this.start = Buffer.concat([this.start, bytes.subarray(0, room)]);
    this.offset += bytes.length;
    this.grewAt = now;
    try {
      this.follower.push(this.decoder.decode(bytes, { stream: true }));
    } catch (error) {
      if (!(error instanceof StanCsvError)) throw error;
      this.problem = error.message;
    }
  }
}

const makeDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });
