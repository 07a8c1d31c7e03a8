/**
 * Rows for many users in every table that grows, created with SQL: the data of other users while one user's request is
 * answered. There are no dangling references. Rows are generated in bulk, bypassing triggers and foreign keys.
 */
import type pg from 'pg';
import {
  type Executor,
  execute,
  inTransaction,
  raw,
  selectOne,
  sql,
} from '../../src/service/repositories/database.ts';

export interface PopulationSize {
  readonly people: number;
  readonly experiments: number;
  readonly models: number;
  /** Of each model. */
  readonly modelVersions: number;
  readonly data: number;
  /** Of each. */
  readonly dataVersions: number;
  readonly shares: number;
  /** Rows of each other table. */
  readonly others: number;
}

export interface Population {
  /** Has a tenth of everything; a hundred others have a tenth together; all users share the rest. */
  readonly heaviest: number;
  /** The first of the hundred; the others have the next 99 numbers. */
  readonly busy: number;
  /** The first of all users. */
  readonly person: number;
  readonly people: number;
  /** Objects before the first. */
  readonly base: number;
}

/**
 * Tables that stay small, and why: reading all of one is fine. Every other table in the schema gets rows here.
 */
export const smallTables: Readonly<Record<string, string>> = {
  schema_migrations: 'a row a migration',
  settings: 'a row a setting of the service',
  limits:
    'counters that have emptied are removed; at most a row for each network and account of a day',
  workers: 'a row a process, removed an hour after it ended',
  services: 'a row a process, removed an hour after it ended',
  tasks: 'only what waits or runs',
  uploads: 'a day at most, and few an account',
  sign_ins: 'ten minutes',
  teams: 'groups of people, not objects',
  shared_rounds: 'one row',
  queue_places: 'what waits of a long queue, else empty',
  blob_pieces: 'of one transaction',
  blob_candidates: 'emptied by each purge',
};

const words = [
  'eight',
  'schools',
  'radon',
  'pooled',
  'kidney',
  'pilot',
  'hierarchical',
  'spline',
  'wells',
  'golf',
  'cosmos',
  'tumour',
];
const word = (n: string) => `(array['${words.join("','")}'])[1 + ${n} % ${words.length}]`;
const name = `${word('n * 7')} || ' ' || ${word('n / 12')} || ' ' || n`;
const at = (count: number) =>
  `now() - interval '1000 days' * (1 - n::float8 / ${count + 1}) - interval '1 hour'`;

/** All in one transaction; statistics are updated. Needs a user who may set `session_replication_role`. */
export async function populate(pool: pg.Pool, size: PopulationSize): Promise<Population> {
  const population = await inTransaction(pool, async (tx) => {
    await execute(tx, sql`set local session_replication_role = replica`);
    const people = await insertPeople(tx, size);
    const base =
      (await selectOne<{ id: number }>(tx, sql`select coalesce(max(id), 0) as id from objects`))
        ?.id ?? 0;
    const maker = new Maker(tx, size, { ...people, base });
    await maker.insertAll();
    return { ...people, base };
  });
  await pool.query('vacuum (analyze)');
  return population;
}

async function insertPeople(
  tx: Executor,
  { people }: PopulationSize,
): Promise<Omit<Population, 'base'>> {
  const first =
    (await selectOne<{ id: number }>(tx, sql`select coalesce(max(id), 0) + 1 as id from users`))
      ?.id ?? 1;
  await execute(
    tx,
    sql`insert into users (id, name) overriding system value
        select ${first}::bigint - 1 + n, 'person ' || n from generate_series(1, ${people + 101}::int) n`,
  );
  await execute(
    tx,
    sql`select setval(pg_get_serial_sequence('users', 'id'), (select max(id) from users))`,
  );
  return { heaviest: first, busy: first + 1, person: first + 101, people };
}

class Maker {
  private next: number;
  private readonly first: Record<string, number> = {};

  constructor(
    private readonly tx: Executor,
    private readonly size: PopulationSize,
    private readonly population: Population,
  ) {
    this.next = population.base + 1;
  }

  private run(text: string): Promise<number> {
    return execute(this.tx, sql`${raw(text)}`);
  }

  private owner(): string {
    const { heaviest, busy, person, people } = this.population;
    return `case n % 10 when 0 then ${heaviest} when 1 then ${busy} + n / 10 % 100 else ${person} + n::bigint * 7919 % ${people} end`;
  }

  /** Rows of `objects`; the first number is stored by kind. */
  private async objects(
    kind: string,
    letter: string,
    count: number,
    columns: { status?: string; tags?: string } = {},
  ): Promise<void> {
    const first = this.next;
    this.first[kind] = first;
    this.next += count;
    await this.run(
      `insert into objects (id, kind, row_number, short_id, owner_id, name, status, tags, version, created_at, updated_at)
         overriding system value
       select ${first - 1} + n, '${kind}', n, '${letter}' || lpad(to_hex(n), 7, '0'), ${this.owner()}, ${name},
         ${columns.status ?? 'null'}, ${columns.tags ?? "'{}'"}, 1, ${at(count)}, ${at(count)}
       from generate_series(1, ${count}) n`,
    );
  }

  /** A number of this kind's objects, chosen by `n`. */
  private one(kind: string, count: number): string {
    return `${this.first[kind]} + n::bigint * 31 % ${Math.max(1, count)}`;
  }

  async insertAll(): Promise<void> {
    await this.insertContent();
    await this.insertRuns();
    await this.insertShares();
    await this.insertFunctions();
    await this.insertAccounts();
    await this.run(
      `insert into object_tallies (owner_id, kind, status, hidden, n, is_folded)
       select owner_id, kind, coalesce(status, ''), false, count(*), true from objects
       where id > ${this.population.base} and deleted_at is null group by 1, 2, 3`,
    );
    await this.run(
      "select setval(pg_get_serial_sequence('objects', 'id'), (select max(id) from objects))",
    );
    for (const kind of [
      'model',
      'experiment',
      'share',
      'workflow',
      'data',
      'event',
      'callback',
      'relation',
      'project',
    ])
      await this.run(
        `select setval('row_number_${kind}', (select max(row_number) from objects where kind = '${kind}'))`,
      );
  }

  private async insertContent(): Promise<void> {
    const { models, modelVersions, data, dataVersions } = this.size;
    await this.objects('model', 'M', models);
    await this.objects('data', 'D', data);
    await this.run(
      `insert into blobs (hash, bytes, size, created_at)
       select sha256(n::text::bytea), 'data {}', 7, ${at(models)} from generate_series(1, ${models}) n`,
    );
    await this.run(
      `insert into models (id, env, lang) select ${this.first.model - 1} + n, 'stan', 'stan' from generate_series(1, ${models}) n`,
    );
    await this.run(
      `insert into model_versions (model_id, version, tree, entrance_file)
       select ${this.first.model - 1} + n, v, jsonb_build_array(jsonb_build_object('name', 'main.stan', 'type', 'file',
         'hash', encode(sha256(n::text::bytea), 'hex'), 'size', 7, 'encoding', 'text')), 'main.stan'
       from generate_series(1, ${models}) n, generate_series(1, ${modelVersions}) v`,
    );
    await this.run(
      `update objects set version = ${modelVersions} where ${modelVersions} > 1 and kind = 'model' and id >= ${this.first.model}`,
    );
    await this.run(
      `insert into data_objects (id, fmt, size) select ${this.first.data - 1} + n, 'json', 7 from generate_series(1, ${data}) n`,
    );
    await this.run(
      `insert into data_versions (data_id, version, hash, fmt, size)
       select ${this.first.data - 1} + n, v, sha256((1 + n % ${models})::text::bytea), 'json', 7
       from generate_series(1, ${data}) n, generate_series(1, ${dataVersions}) v`,
    );
    await this.run(
      `insert into object_blobs (object_id, hash)
       select ${this.first.model - 1} + n, sha256(n::text::bytea) from generate_series(1, ${models}) n
       union all select ${this.first.data - 1} + n, sha256((1 + n % ${models})::text::bytea) from generate_series(1, ${data}) n`,
    );
  }

  private async insertRuns(): Promise<void> {
    const { experiments, models, data, others } = this.size;
    const series = `from generate_series(1, ${experiments}) n`;
    const state = (running: string, waiting: string, failed: string, ended: string) =>
      `case when n % 1000 = 500 then ${running} when n % 1000 = 501 then ${waiting} when n % 25 = 2 then ${failed} else ${ended} end`;
    await this.objects('workflow', 'F', models);
    await this.objects('experiment', 'X', experiments, {
      status: state("'RUN'", "'NEW'", "'ERR'", "'FIN'"),
    });
    await this.run(
      `insert into workflows (id, model_id, data_id, settings)
       select ${this.first.workflow - 1} + n, ${this.first.model - 1} + n, ${this.one('data', data)}, 'sampling: {}'
       from generate_series(1, ${models}) n`,
    );
    await this.run(
      `insert into experiments (id, model_id, workflow_id, data_id, model_name, model_version, settings, run_on, meta, n_chains,
         n_samples, started_at, finished_at, owner_id)
       select ${this.first.experiment - 1} + n, ${this.one('model', models)}, ${this.one('workflow', models)}, ${this.one('data', data)},
         ${name}, 1, '{"num_chains": 4, "num_warmup": 1000, "num_samples": 1000, "seed": 1}', 'local',
         jsonb_build_object('verdict', jsonb_build_object('state', case when n % 20 = 3 then 'bad' else 'good' end,
           'rhat_max', 1 + n::bigint * 7919 % 1000 / 1000.0, 'ess_bulk_min', n % 4000, 'ess_tail_min', n % 3000, 'divergences', n % 7)),
         4, 1000, ${at(experiments)}, case when n % 1000 in (500, 501) then null else ${at(experiments)} + interval '1 minute' end,
         ${this.owner()}
       ${series}`,
    );
    await this.run(
      `insert into experiment_chains (experiment_id, chain, name, state, iteration, iterations, saved_samples, queued_at)
       select ${this.first.experiment - 1} + n, c, 'chain#' || c, ${state("'running'", "'queued'", "'failed'", "'done'")}, 2000, 2000, 1000,
         ${at(experiments)} ${series}, generate_series(1, 4) c`,
    );
    await this.run(
      `update experiment_chains c set (owner_id, person_id, run_on, parallel_chains) = (select * from find_line(c.experiment_id))
       where c.state in ('queued', 'running')`,
    );
    await this.insertDraws(Math.min(others, experiments));
  }

  /** For the first `count` experiments: few, since draws are measured separately. */
  private async insertDraws(count: number): Promise<void> {
    const id = `${this.first.experiment - 1} + n`;
    const series = `from generate_series(1, ${count}) n`;
    await this.run(
      `insert into draw_layouts (id, experiment_id, hash, columns) overriding system value
       select (select coalesce(max(id), 0) from draw_layouts) + n, ${id}, sha256(n::text::bytea), '[{"name": "mu"}]' ${series}`,
    );
    await this.run(
      "select setval(pg_get_serial_sequence('draw_layouts', 'id'), (select max(id) from draw_layouts))",
    );
    await this.run(
      `insert into draw_batches (experiment_id, chain, phase, layout_id, first_iteration, count, bytes)
       select l.experiment_id, 1, 'sampling', l.id, 1, 1, '\\x0000000000000000' from draw_layouts l where l.experiment_id > ${this.population.base}`,
    );
    await this.run(
      `insert into runner_runs (experiment_id, batch_id, run_id, status, ended_at) select ${id}, 'b', 'r', 'SAMPLE_FIN', now() ${series}`,
    );
    await this.run(
      `insert into runner_offsets (experiment_id, chain, source, "offset") select ${id}, 1, 'b/r', 0 ${series}`,
    );
    await this.run(
      `insert into program_runs (experiment_id, runtime, batch_id, run_id, settings) select ${id}, 'python', 'b', 'r', '{}' ${series}`,
    );
    await this.run(
      `insert into log_streams (experiment_id, stream, bytes, lines) select ${id}, 'stdlog', 3, 1 ${series}`,
    );
    await this.run(
      `insert into log_chunks (experiment_id, stream, byte_offset, line_offset, bytes, lines, content) select ${id}, 'stdlog', 0, 0, 3, 1, E'ok\\n' ${series}`,
    );
    await this.run(
      `insert into export_files (experiment_id, fmt, revision, state, path, size) select ${id}, 'csv', 0, 'done', 'exports/X' || n || '/csv', 3 ${series}`,
    );
    await this.run(
      `insert into analyses (workflow_id, experiment_id, analyzer_id, user_id, state)
       select ${this.one('workflow', this.size.models)}, ${id}, 'Mreport0', ${this.population.person}, 'done' ${series}`,
    );
  }

  /** Of every four, one is for a single user and one has expired. */
  private async insertShares(): Promise<void> {
    const { shares, experiments, others } = this.size;
    const { person, people } = this.population;
    await this.objects('share', 'S', shares);
    await this.run(
      `insert into shares (id, object_id, target_user_id, expires_at, snapshot)
       select s.id, x.id, case when n % 4 = 0 then ${person} + n::bigint * 104729 % ${people} end,
         case when n % 4 = 1 then now() - interval '1 day' end, jsonb_build_object('view', jsonb_build_object('name', x.name, 'status', x.status))
       from generate_series(1, ${shares}) n join objects s on s.id = ${this.first.share - 1} + n
         join objects x on x.id = ${this.first.experiment} + n::bigint * 10 % ${experiments}`,
    );
    await this.run(
      `update objects s set owner_id = x.owner_id from shares t join objects x on x.id = t.object_id where s.id = t.id and s.id >= ${this.first.share} and s.owner_id <> x.owner_id`,
    );
    await this.run(
      `update objects o set shared_until = s.until
       from (select object_id, max(coalesce(expires_at, 'infinity')) as until from shares group by 1) s where o.id = s.object_id`,
    );
    await this.objects('project', 'P', others);
    const series = `from generate_series(1, ${others}) n`;
    await this.run(`insert into projects (id) select ${this.first.project - 1} + n ${series}`);
    await this.run(
      `insert into project_members (project_id, object_id) select ${this.first.project - 1} + n, ${this.one('experiment', experiments)} ${series}`,
    );
    await this.run(
      `insert into project_entries (project_id, text) select ${this.first.project - 1} + n, 'A note.' ${series}`,
    );
    await this.run(
      `insert into share_members (share_id, object_id, short_id, added_at, snapshot)
       select ${this.one('share', shares)}, ${this.one('experiment', experiments)}, 'S' || lpad(to_hex(n), 8, '0'), now(), '{}' ${series} on conflict do nothing`,
    );
  }

  private async insertFunctions(): Promise<void> {
    const { others, experiments } = this.size;
    const { person, people } = this.population;
    const series = `from generate_series(1, ${others}) n`;
    const who = `${person} + n::bigint % ${people}`;
    await this.objects('event', 'E', others, { tags: "array['builtin']" });
    await this.objects('callback', 'C', others);
    await this.objects('relation', 'R', others);
    await this.run(
      `insert into events (id, builtin, builtin_owner) select ${this.first.event - 1} + n, (array['experiment.every_n_samples', 'experiment.finished'])[1 + n % 2], ${who} ${series}
       on conflict do nothing`,
    );
    await this.run(
      `insert into callbacks (id, lang, code) select ${this.first.callback - 1} + n, 'js', '' ${series}`,
    );
    await this.run(
      `insert into relations (id, object1_id, object2_id) select ${this.first.relation - 1} + n, ${this.first.event - 1} + n, ${this.first.callback - 1} + n ${series}`,
    );
    await this.run(
      `insert into sample_marks (relation_id, experiment_id, chain, fired) select ${this.first.relation - 1} + n, ${this.one('experiment', experiments)}, 1, 1 ${series}`,
    );
    await this.run(
      `insert into function_calls (function_id, user_id, event_id, state, background) select 'C' || lpad(to_hex(n), 7, '0'), ${who}, ${this.first.event - 1} + n, 'done', true ${series}`,
    );
    await this.run(
      `insert into function_answers (function_id, version, user_id, parameters_hash, answer) select 'C' || lpad(to_hex(n), 7, '0'), 1, ${who}, sha256('x'), '1' ${series}`,
    );
  }

  private async insertAccounts(): Promise<void> {
    const { people, person } = this.population;
    const series = `from generate_series(0, ${people - 1}) n`;
    await this.run(
      `insert into tokens (user_id, kind, hash, prefix, expires_at, deleted_key, deleted_at)
       select ${person} + n, 'login', sha256(n::text::bytea), 'erg_', now() + interval '7 days' * (1 - 2 * (n % 2)),
         case when n % 50 = 1 then md5(n::text)::uuid end, case when n % 50 = 1 then now() - interval '2 days' end ${series}`,
    );
    await this.run(
      `insert into deletions (key, user_id, created_at) select md5(n::text)::uuid, ${person} + n, now() - interval '2 days' from generate_series(0, ${people - 1}) n`,
    );
    await this.run(
      `update objects set deleted_key = md5((owner_id - ${person})::text)::uuid, deleted_at = now() - interval '2 days' where id % 100 = 7 and id > ${this.population.base} and owner_id >= ${person} and coalesce(status, '') not in ('RUN', 'NEW')`,
    );
    await this.run(
      `insert into notifications (user_id, event, title, read_at) select ${person} + n, 'run', 'A run ended', case when k % 2 = 1 then now() - interval '1 day' end ${series}, generate_series(1, 3) k`,
    );
    await this.run(
      `insert into saved_views (user_id, list, views) select ${person} + n, 'experiments', '[]' ${series}`,
    );
    await this.run(`insert into queue_turns (owner_id) select ${person} + n ${series}`);
    await this.run(
      `insert into identities (issuer, subject, user_id, label, is_account_made) select 'https://sso.example.org', n, ${person} + n, 'p', true ${series}`,
    );
    await this.run(
      `insert into provider_sessions (token_id, identity_id, id_token) select t.id, i.id, '' from tokens t join identities i on i.user_id = t.user_id`,
    );
    await this.run(
      `insert into team_members (team_id, user_id) select ${this.population.busy} + n % 20, ${person} + n ${series}`,
    );
    await this.run(
      `insert into teams (id) select ${this.population.busy} + n from generate_series(0, 19) n`,
    );
  }
}
