/** Bytes that an owner's objects use, by kind of content. */
import type pg from 'pg';
import { objectKinds } from '../../contract/common.ts';
import { array, type Executor, execute, raw, type SQL, select, sql } from './database.ts';

export type SpaceKind = 'model' | 'data' | 'draws' | 'logs' | 'files';
const kinds: readonly SpaceKind[] = ['model', 'data', 'draws', 'logs', 'files'];

export interface SpaceTaken {
  readonly kinds: { kind: SpaceKind; bytes: number; objects: number }[];
  /** What the owner deleted and can still restore. */
  readonly deleted: { bytes: number; objects: number };
}

interface Part {
  readonly kind: SpaceKind;
  /** Deleted by the owner. */
  readonly gone: boolean;
  readonly bytes: number;
  readonly objects: number;
}

/**
 * The owner's objects, `gone` if the owner deleted them. Shares have no content, and some have ten for each run:
 * existing ones are left out.
 */
const mineOf = (ownerId: number): SQL => sql`
  select o.id, o.kind, false as gone from objects o
    where o.owner_id = ${ownerId} and o.deleted_at is null
      and o.kind = any(${array(
        objectKinds.filter((kind) => kind !== 'share'),
        'text',
      )})
  union all
  select o.id, o.kind, exists (select 1 from deletions d where d.key = o.deleted_key and d.user_id = o.owner_id)
    from objects o where o.owner_id = ${ownerId} and o.deleted_at is not null`;

/**
 * Content that several objects share counts once, for the first of model, data, run that has it. A program or data
 * that only runs still need is counted as a program or data.
 */
const contents: SQL = sql`
  select case when r.of_model or (r.of_run and not r.of_data) then 'model' when r.of_data then 'data' else 'files' end as kind,
      r.gone, b.size as bytes, 0 as objects
    from (
      select k.hash, bool_and(m.gone) as gone, bool_or(m.kind = 'model') as of_model,
          bool_or(m.kind = 'data' or e.data_hash = k.hash) as of_data, bool_or(m.kind = 'experiment') as of_run
        from mine m join object_blobs k on k.object_id = m.id left join experiments e on e.id = m.id group by k.hash
    ) r join blobs b on b.hash = r.hash`;

export async function measureSpace(db: Executor, ownerId: number): Promise<SpaceTaken> {
  const parts = await select<Part>(
    db,
    sql`with mine as (${mineOf(ownerId)}), parts as (
          ${contents}
          union all
          select m.kind, m.gone, 0, 1 from mine m where m.kind in ('model', 'data')
          union all
          select 'draws', m.gone, sum(octet_length(d.bytes)), 1
            from mine m join draw_batches d on d.experiment_id = m.id group by m.id, m.gone
          union all
          select 'logs', m.gone, sum(l.bytes), 1
            from mine m join log_streams l on l.experiment_id = m.id group by m.id, m.gone
          union all
          select 'files', false, received, 1 from uploads where owner_id = ${ownerId}
          union all
          select 'files', m.gone, f.size, 1
            from mine m join export_files f on f.experiment_id = m.id where f.state = 'done'
        )
        select kind, gone, sum(bytes)::bigint as bytes, sum(objects)::bigint as objects from parts group by kind, gone
        union all
        select 'deleted', true, 0, count(*) from mine where gone`,
  );
  const sum = (chosen: readonly Part[], of: 'bytes' | 'objects') =>
    chosen.reduce((total, part) => total + part[of], 0);
  const gone = parts.filter((part) => part.gone);
  return {
    kinds: kinds.map((kind) => {
      const chosen = parts.filter((part) => part.kind === kind && !part.gone);
      return { kind, bytes: sum(chosen, 'bytes'), objects: sum(chosen, 'objects') };
    }),
    deleted: {
      bytes: sum(gone, 'bytes'),
      objects: sum(
        gone.filter((part) => !kinds.includes(part.kind)),
        'objects',
      ),
    },
  };
}

/** Releases the space of removed rows, to the disk if possible. */
export async function vacuumContent(pool: pg.Pool): Promise<void> {
  for (const table of ['draw_batches', 'blobs', 'log_chunks', 'objects'])
    await execute(pool, sql`vacuum ${raw(table)}`);
  await execute(pool, sql`checkpoint`);
}
