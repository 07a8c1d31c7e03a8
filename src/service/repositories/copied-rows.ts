/**
 * Rows with many bytes, by COPY in its binary format. The driver reads normal results as text, in which a byte takes
 * two hexadecimal digits: six times slower.
 * Source: PostgreSQL's manual, COPY, section "Binary Format".
 */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { inChildSpan } from '../spans.ts';
import { type Executor, type SQL, statementSpan, withClient } from './database.ts';
import { nameStatement } from './statement-name.ts';

/** The columns of a row as PostgreSQL sends them, each in separate memory; null for NULL. */
export type CopiedRow = readonly (Uint8Array | null)[];

/** Memory for the last column of a row, given the columns before it. */
export type PlaceLast = (before: CopiedRow, length: number) => Uint8Array;

/** The rows of a query whose values are integers, or lists of them. `placeLast`: absent, in separate memory as well. */
export async function copyRows(
  db: Executor,
  query: SQL,
  placeLast?: PlaceLast,
): Promise<CopiedRow[]> {
  const text = `copy (${withNumbers(query)}) to stdout (format binary)`;
  const read = (client: pg.PoolClient) => readRows(client.query(copyTo(text)), placeLast);
  const work = () => (db instanceof pg.Pool ? withClient(db, read) : read(db));
  return inChildSpan(() => nameStatement(query.text), statementSpan, work);
}

/** A column of type `integer` or `bigint`. By bytes: a `DataView` would move a small array out of V8's heap. */
export function readInteger(column: Uint8Array | null): number {
  if (column === null) throw new Error('NULL where a number is expected');
  return column.reduce((value, byte, i) => (i === 0 ? (byte << 24) >> 24 : value * 256 + byte), 0);
}

/** The rows of the binary format, from chunks as the network split them. */
export async function readRows(
  chunks: AsyncIterable<Uint8Array>,
  placeLast: PlaceLast = (_, length) => newMemory(length),
): Promise<CopiedRow[]> {
  const reader = new RowReader(placeLast);
  for await (const chunk of chunks) reader.push(chunk);
  return reader.end();
}

/** COPY takes no parameters, so values are part of the text: only those that cannot end a literal. */
function withNumbers({ strings, values }: SQL): string {
  return strings.reduce((text, next, i) => `${text}${numberText(values[i - 1])}${next}`);
}

function numberText(value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value) && value.every(Number.isSafeInteger)) return `'{${value.join(',')}}'`;
  throw new Error('a value that is not a whole number in a statement without parameters');
}

const SIGNATURE = 'PGCOPY\n\xff\r\n\0';
/** Signature, flags, and the length of the header extension. */
const HEADER_BYTES = SIGNATURE.length + 8;

/** V8 keeps arrays up to this size in its own heap, where thousands cost nothing. */
const SMALL_BYTES = 64;

/** Separate memory, if large not zeroed, since all of it is written. */
const newMemory = (length: number) =>
  length <= SMALL_BYTES ? new Uint8Array(length) : Buffer.allocUnsafeSlow(length);

/** Parses the format, wherever the network split it. */
class RowReader {
  private readonly rows: CopiedRow[] = [];
  private columns: (Uint8Array | null)[] = [];
  private isComplete = false;
  /** The buffer being filled, and the function called when it is full. */
  private bytes: Uint8Array = new Uint8Array(HEADER_BYTES);
  private filled = 0;
  private onFull: (bytes: Uint8Array) => void = (header) => this.takeHeader(header);
  private readonly placeLast: PlaceLast;

  constructor(placeLast: PlaceLast) {
    this.placeLast = placeLast;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && !this.isComplete; ) {
      const count = Math.min(chunk.length - at, this.bytes.length - this.filled);
      this.bytes.set(chunk.subarray(at, at + count), this.filled);
      at += count;
      this.filled += count;
      if (this.filled === this.bytes.length) this.onFull(this.bytes);
    }
  }

  end(): CopiedRow[] {
    if (!this.isComplete) throw new Error('the rows of a copy ended early');
    return this.rows;
  }

  private expect(
    length: number,
    onFull: (bytes: Uint8Array) => void,
    bytes: Uint8Array = newMemory(length),
  ): void {
    this.bytes = bytes;
    this.filled = 0;
    this.onFull = onFull;
    if (length === 0) onFull(bytes);
  }

  private takeHeader(header: Uint8Array): void {
    const signature = Buffer.from(header.subarray(0, SIGNATURE.length)).toString('latin1');
    if (signature !== SIGNATURE) throw new Error('not the binary format of COPY');
    const extension = readInteger(header.subarray(HEADER_BYTES - 4));
    this.expect(extension, () => this.expectRow());
  }

  private expectRow(): void {
    this.expect(2, (bytes) => {
      const numColumns = readInteger(bytes);
      this.isComplete = numColumns === -1;
      this.columns = [];
      if (!this.isComplete) this.expectColumn(numColumns);
    });
  }

  private expectColumn(numColumns: number): void {
    if (this.columns.length === numColumns) {
      this.rows.push(this.columns);
      this.expectRow();
      return;
    }
    this.expect(4, (bytes) => {
      const length = readInteger(bytes);
      if (length < 0) {
        this.takeColumn(null, numColumns);
        return;
      }
      const isLast = this.columns.length === numColumns - 1;
      const memory = isLast ? this.placeLast(this.columns, length) : newMemory(length);
      this.expect(length, (column) => this.takeColumn(column, numColumns), memory);
    });
  }

  private takeColumn(column: Uint8Array | null, numColumns: number): void {
    this.columns.push(column);
    this.expectColumn(numColumns);
  }
}
