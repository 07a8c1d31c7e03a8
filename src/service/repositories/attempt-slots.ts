/** Counters of attempts: each grows by one per attempt and drains over time; all services of a database share them. */
import { type Executor, execute, inTransaction, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

export interface SlotLimit {
  readonly key: string;
  /** Attempts in a burst. */
  readonly capacity: number;
  /** Attempts regained per hour. */
  readonly perHour: number;
}

const hourMs = 3_600_000;
let taken = 0;

/** Takes one slot of each, or none; returns the seconds until all have one (0 = taken). `now` in milliseconds. */
export async function takeSlots(
  db: Executor,
  limits: readonly SlotLimit[],
  now: number,
): Promise<number> {
  // counters from a day ago are empty, whatever they were
  if (taken++ % 1000 === 999) await removeSlots(db, now - 24 * hourMs);
  return inTransaction(db, async (tx) => {
    const levels = new Map<string, number>();
    let waitMs = 0;
    for (const { key, capacity, perHour } of limits) {
      const level = await readLevel(tx, key, perHour, now);
      waitMs = Math.max(waitMs, ((level + 1 - capacity) * hourMs) / perHour);
      levels.set(key, level);
    }
    // a millisecond is rounding error
    if (waitMs > 1) return Math.ceil((waitMs - 1) / 1000);
    for (const [key, level] of levels) {
      await execute(
        tx,
        sql`update limits set level = ${level + 1}, updated_at = ${at(now)} where key = ${key}`,
      );
    }
    return 0;
  });
}

/** Locks the counter until the end of the transaction. */
async function readLevel(tx: Executor, key: string, perHour: number, now: number): Promise<number> {
  await execute(
    tx,
    sql`insert into limits (key, level, updated_at) values (${key}, 0, ${at(now)}) on conflict (key) do nothing`,
  );
  const row = await selectOne<Columns<'limits', 'level' | 'updated_at'>>(
    tx,
    sql`select level, updated_at from limits where key = ${key} for update`,
  );
  if (row === null) return 0;
  const elapsedMs = now - Date.parse(row.updated_at);
  // counted while the clock was ahead: it drains from now on, not only once the clock has caught up
  if (elapsedMs < 0) {
    await execute(tx, sql`update limits set updated_at = ${at(now)} where key = ${key}`);
    return row.level;
  }
  return Math.max(0, row.level - (elapsedMs * perHour) / hourMs);
}

export async function giveBackSlots(db: Executor, limits: readonly SlotLimit[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const { key } of limits)
      await execute(tx, sql`update limits set level = greatest(0, level - 1) where key = ${key}`);
  });
}

async function removeSlots(db: Executor, before: number): Promise<void> {
  await execute(db, sql`delete from limits where updated_at < ${at(before)}`);
}

const at = (ms: number) => sql`to_timestamp(${ms / 1000}::double precision)`;
