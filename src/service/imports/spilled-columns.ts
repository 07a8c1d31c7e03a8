/**
 * Columns of numbers in an unnamed file, so that imports may be larger than memory. Pushed numbers are buffered until
 * there are enough of them, then appended for all columns together, one stretch per column.
 */

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ColumnStore, NumberColumn } from '../../formats/growing-column.ts';
import { ImportError } from '../../formats/imported-draws.ts';
import { itemAt } from '../../shared/items.ts';
import { freeBytesOf } from '../storage/disk-reserve.ts';

/** Numbers buffered before they are written: 16 MB. */
const HELD_VALUES = 2 ** 21;
/** Space that must remain free on the disk. */
const MARGIN_BYTES = 256 * 2 ** 20;

export interface StoredColumn extends NumberColumn<StoredColumn> {
  /** Counted from 0; the entire column when omitted. */
  read(from?: number, to?: number): Float64Array;
}

export interface SpilledColumns extends ColumnStore<StoredColumn> {
  /** Numbers in the file. */
  readonly written: number;
  close(): void;
}

export interface SpillOptions {
  readonly heldValues?: number;
  /** Free bytes on the disk. */
  readonly freeBytes?: (folder: string) => number;
}

export function createSpilledColumns(
  folder: string,
  { heldValues = HELD_VALUES, freeBytes = freeBytesOf }: SpillOptions = {},
): SpilledColumns {
  fs.mkdirSync(folder, { recursive: true });
  const name = path.join(folder, `numbers-${randomBytes(8).toString('hex')}`);
  const file = fs.openSync(name, 'wx+', 0o600);
  // without a name, the file disappears with its process, however that ends
  fs.unlinkSync(name);
  const columns = new Set<SpilledColumn>();
  let held = 0;
  let written = 0;

  const flush = () => {
    if (freeBytes(folder) < 8 * held + MARGIN_BYTES)
      throw new ImportError(
        `The server's disk has no room for the numbers of the files: ${Math.round((8 * (written + held)) / 1e6)} MB so far.`,
      );
    for (const column of columns) written += column.write(file, written);
    held = 0;
  };
  const made = (column: SpilledColumn): StoredColumn =>
    view((from, to) => column.read(file, from, to), 0, column.length);
  return {
    grow() {
      const column = new SpilledColumn();
      columns.add(column);
      return {
        push(value) {
          column.push(value);
          if (++held >= heldValues) flush();
        },
        get length() {
          return column.length;
        },
        finish() {
          columns.delete(column);
          held -= column.held;
          written += column.write(file, written);
          column.release();
          return made(column);
        },
      };
    },
    keep(values) {
      const column = new SpilledColumn();
      written += column.append(file, values, written);
      return made(column);
    },
    lazy: (length, read) => view(read, 0, length),
    load: (column) => column.read(),
    get written() {
      return written;
    },
    close: () => fs.closeSync(file),
  };
}

/** A view of the columns of a file: `read(from, to)` counts from the first number of the first view. */
function view(
  read: (from: number, to: number) => Float64Array,
  start: number,
  length: number,
): StoredColumn {
  const clamp = (at: number) => Math.max(0, Math.min(length, at));
  return {
    length,
    subarray(from = 0, to = length) {
      return view(read, start + clamp(from), Math.max(0, clamp(to) - clamp(from)));
    },
    read: (from = 0, to = length) => read(start + from, start + to),
  };
}

class SpilledColumn {
  private values = new Float64Array(64);
  held = 0;
  private stored = 0;
  /** The end of each stretch in the column, and its start in the file, both as counts of numbers. */
  private readonly ends: number[] = [];
  private readonly places: number[] = [];

  get length(): number {
    return this.stored + this.held;
  }

  push(value: number): void {
    if (this.held === this.values.length) {
      const larger = new Float64Array(this.held * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.held++] = value;
  }

  /** Returns how many numbers were written at `place`. */
  write(file: number, place: number): number {
    const count = this.append(file, this.values.subarray(0, this.held), place);
    this.held = 0;
    return count;
  }

  append(file: number, values: Float64Array, place: number): number {
    if (values.length === 0) return 0;
    writeAll(file, bytesOf(values), 8 * place);
    this.stored += values.length;
    this.ends.push(this.stored);
    this.places.push(place);
    return values.length;
  }

  release(): void {
    this.values = new Float64Array(0);
  }

  read(file: number, from: number, to: number): Float64Array {
    const values = new Float64Array(to - from);
    for (let i = this.stretchOf(from), at = from; at < to; i++) {
      const start = i === 0 ? 0 : itemAt(this.ends, i - 1);
      const end = Math.min(to, itemAt(this.ends, i));
      const part = values.subarray(at - from, end - from);
      readAll(file, bytesOf(part), 8 * (itemAt(this.places, i) + at - start));
      at = end;
    }
    return values;
  }

  private stretchOf(at: number): number {
    let low = 0;
    for (let high = this.ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (itemAt(this.ends, middle) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += fs.writeSync(file, bytes, done, bytes.length - done, position + done);
}

function readAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = fs.readSync(file, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw new Error('the file of numbers is shorter than what was written');
    done += count;
  }
}
