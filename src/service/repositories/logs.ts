/** Logs of runs: appended in chunks, read by byte range, searched by line. */
import { cleanText, type Executor, execute, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

/** `stdlog`: messages of the program and the sampler. `platform`: messages of the service about the run. */
export type LogStream = 'stdlog' | 'platform';

interface LogKey {
  readonly experimentId: number;
  readonly stream: LogStream;
}

export interface LogAppend extends LogKey {
  /** Whole lines, each with its newline. */
  readonly text: string;
  readonly batchId?: string;
  readonly runId?: string;
}

/** Maximum size of a log in bytes; anything beyond is dropped, with one line that says so. */
const MAX_LOG_BYTES = 64 * 2 ** 20;
const CHUNK_CHARACTERS = 64 * 1024;

/** Returns the offset of the last chunk, in bytes; null: nothing was added. */
export async function appendLog(
  tx: Executor,
  { experimentId, stream, text, batchId = '', runId = '' }: LogAppend,
): Promise<number | null> {
  let last: number | null = null;
  const clean = cleanText(text);
  for (let from = 0; from < clean.length; ) {
    const content = clean.slice(from, chunkEnd(clean, from));
    from += content.length;
    const bytes = Buffer.byteLength(content);
    const lines = content.split('\n').length - 1;
    const before = await selectOne<Columns<'log_streams', 'bytes' | 'lines'>>(
      tx,
      sql`insert into log_streams as s (experiment_id, stream, bytes, lines)
          values (${experimentId}, ${stream}, ${bytes}, ${lines})
          on conflict (experiment_id, stream) do update set bytes = s.bytes + excluded.bytes, lines = s.lines + excluded.lines
            where s.bytes < ${MAX_LOG_BYTES}
          returning bytes - ${bytes} as bytes, lines - ${lines} as lines`,
    );
    if (before === null) return last;
    last = before.bytes;
    await execute(
      tx,
      sql`insert into log_chunks (experiment_id, stream, byte_offset, line_offset, bytes, lines, batch_id, run_id, content)
          values (${experimentId}, ${stream}, ${before.bytes}, ${before.lines}, ${bytes}, ${lines}, ${batchId}, ${runId},
                  ${content})`,
    );
  }
  return last;
}

/** Seconds in which a sender without a response sends the same text again. */
const REPEAT_SECONDS = 60;

export interface RepeatedLog {
  /** As returned by {@link appendLog}. */
  readonly place: number;
  readonly ageSeconds: number;
}

/** Where this runner's run has just logged the same text as its last message; null: its last message differs. */
export async function findRepeatedLog(
  tx: Executor,
  { experimentId, stream, text, batchId = '', runId = '' }: LogAppend,
): Promise<RepeatedLog | null> {
  const clean = cleanText(text);
  const row = await selectOne<RepeatedLog & { content: string }>(
    tx,
    sql`select content, byte_offset as place, extract(epoch from clock_timestamp() - created_at)::float8 as "ageSeconds"
        from log_chunks where experiment_id = ${experimentId} and stream = ${stream} and batch_id = ${batchId} and run_id = ${runId}
          and created_at > now() - make_interval(secs => ${REPEAT_SECONDS}::int)
        order by byte_offset desc limit 1`,
  );
  // a long text is several chunks, and the last contains its end
  return row !== null && row.content === clean.slice(lastChunkStart(clean)) ? row : null;
}

function lastChunkStart(text: string): number {
  let start = 0;
  for (let from = 0; from < text.length; from = chunkEnd(text, from)) start = from;
  return start;
}

/** At most one chunk further, after a newline if there is one, and never inside a surrogate pair. */
function chunkEnd(text: string, from: number): number {
  const most = from + CHUNK_CHARACTERS;
  if (most >= text.length) return text.length;
  const newline = text.lastIndexOf('\n', most - 1);
  if (newline >= from) return newline + 1;
  const code = text.charCodeAt(most - 1);
  return code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
}

export interface LogSize {
  readonly bytes: number;
  readonly lines: number;
}

export async function findLogSize(
  db: Executor,
  experimentId: number,
  stream: LogStream,
): Promise<LogSize> {
  const row = await selectOne<LogSize>(
    db,
    sql`select bytes, lines from log_streams where experiment_id = ${experimentId} and stream = ${stream}`,
  );
  return row ?? { bytes: 0, lines: 0 };
}

export interface LogRange {
  /** Bytes, `to` exclusive, extended outwards to complete characters. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type ChunkRow = Columns<'log_chunks', 'byte_offset' | 'content'>;

/** `from` and `to` in bytes, `to` exclusive; clipped to the log. */
export async function readLog(
  db: Executor,
  which: LogKey & { readonly from: number; readonly to: number },
): Promise<LogRange> {
  const { experimentId, stream, from, to } = which;
  const chunks = await select<ChunkRow>(
    db,
    sql`select byte_offset, content from log_chunks where experiment_id = ${experimentId} and stream = ${stream}
          and byte_offset + bytes > ${from} and byte_offset < ${to} order by byte_offset`,
  );
  const [first] = chunks;
  if (first === undefined) return { from, to: from, text: '' };
  const start = first.byte_offset;
  const bytes = Buffer.from(chunks.map((chunk) => chunk.content).join(''));
  let begin = Math.max(0, from - start);
  let end = Math.min(bytes.length, to - start);
  // A byte of the form 10xxxxxx continues a character.
  const isInside = (place: number) => ((bytes[place] ?? 0) & 0xc0) === 0x80;
  while (begin > 0 && isInside(begin)) begin -= 1;
  while (isInside(end)) end += 1;
  return { from: start + begin, to: start + end, text: bytes.toString('utf8', begin, end) };
}

/** Byte offsets of the lines that contain `query`, ignoring case; the first `limit`. */
export async function searchLog(
  db: Executor,
  which: LogKey & { readonly query: string; readonly limit: number },
): Promise<number[]> {
  const { experimentId, stream, query, limit } = which;
  const needle = query.toLowerCase();
  const pattern = `%${query.replace(/[\\%_]/g, '\\$&')}%`;
  const matches: number[] = [];
  const chunks = await select<ChunkRow>(
    db,
    sql`select byte_offset, content from log_chunks where experiment_id = ${experimentId} and stream = ${stream}
          and content ilike ${pattern} order by byte_offset limit ${limit}`,
  );
  for (const chunk of chunks) {
    let offset = chunk.byte_offset;
    for (const line of chunk.content.split('\n')) {
      if (line.toLowerCase().includes(needle)) matches.push(offset);
      if (matches.length >= limit) return matches;
      offset += Buffer.byteLength(line) + 1;
    }
  }
  return matches;
}

/** Lines with the time they arrived, of one run of a runner or of all; the newest `limit` chunks. */
export async function listLogLines(
  db: Executor,
  which: Omit<LogAppend, 'text'> & { readonly limit?: number },
): Promise<{ created_at: string; content: string }[]> {
  const { experimentId, stream, batchId = '', runId = '', limit = 10_000 } = which;
  const rows = await select<Columns<'log_chunks', 'created_at' | 'content' | 'byte_offset'>>(
    db,
    sql`select created_at, content, byte_offset from log_chunks
        where experiment_id = ${experimentId} and stream = ${stream}
          ${batchId === '' ? sql`` : sql`and batch_id = ${batchId}`} ${runId === '' ? sql`` : sql`and run_id = ${runId}`}
        order by byte_offset desc limit ${limit}`,
  );
  return rows.reverse();
}
