/**
 * The job queue in PostgreSQL: durable, shared by all processes, woken by NOTIFY instead of waiting for a poll. pg-boss
 * stores the jobs (this version, because newer ones need Node 22); we fetch them ourselves, so that a database failure
 * while a job is marked as done is logged instead of becoming an unhandled rejection.
 */

import type pg from 'pg';
import type PgBoss from 'pg-boss';
import type { Logger } from '../logging.ts';
import { workInTurn } from '../repositories/advisory-locks.ts';
import {
  type Connection,
  type Database,
  type Executor,
  openDatabase,
} from '../repositories/database.ts';
import { currentTraceParent, inChildSpan, inSpan, outsideTrace } from '../spans.ts';
import { JobConsumer } from './job-consumer.ts';
import {
  type JobData,
  type JobHandler,
  type JobName,
  type JobOutcome,
  type JobQueue,
  jobNames,
  type SendOptions,
} from './job-queue.ts';
import { keepListening } from './keep-listening.ts';

export interface PgBossQueueOptions {
  readonly connection: Connection;
  readonly logger: Logger;
  /** Only one process per database needs to look after retries and old jobs; any worker may do it. */
  readonly supervise: boolean;
}

/** NOTIFY wakes the consumers; polling finds jobs whose notification was lost, and those that are due later. */
const POLL_MS = 5000;
/** Processes that look for a new job, and that poll; more would only query for jobs that others have taken. */
const CALLED_AT_ONCE = 16;
const POLLING = 100;
/** How long running handlers may take when the queue stops; after that, their jobs are retried elsewhere. */
const STOP_MS = 5000;
/** Separate connections, so that jobs continue while all others are busy. */
const CONNECTIONS = 3;
/** PostgreSQL channel on which the names of available jobs are published. */
const JOBS_CHANNEL = 'ergodic_jobs';

export function createPgBossQueue({ connection, logger, supervise }: PgBossQueueOptions): JobQueue {
  return new PgBossQueue(connection, logger, supervise);
}

class PgBossQueue implements JobQueue {
  private database: Database | null = null;
  private starting: Promise<PgBoss> | null = null;
  private isStopped = false;
  private workers = 1;
  private readonly consumers: { readonly name: JobName; readonly consumer: JobConsumer }[] = [];
  /** Jobs that handlers of this process are running, by id. */
  private readonly active = new Map<string, JobName>();
  private polling: NodeJS.Timeout | undefined;
  private listening: Promise<{ close(): Promise<void> }> | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly logger: Logger,
    private readonly supervise: boolean,
  ) {}

  async start(): Promise<void> {
    await this.ready();
  }

  async send<N extends JobName>(
    name: N,
    data: JobData[N],
    options: SendOptions = {},
  ): Promise<void> {
    const boss = await this.ready();
    const { tx = this.pool(), key, afterSeconds, priority = 0 } = options;
    await inChildSpan(`send ${name}`, { kind: 'producer' }, async () => {
      await boss.send(name, withTrace(data), {
        priority,
        ...(key === undefined ? {} : { singletonKey: key }),
        ...(afterSeconds === undefined ? {} : { startAfter: afterSeconds }),
        db: asBossDatabase(tx),
      });
      // Polling finds jobs that are due later.
      if (afterSeconds === undefined)
        await tx.query('select pg_notify($1, $2)', [JOBS_CHANNEL, name]);
    });
  }

  async bringBack(): Promise<void> {
    await this.ready();
    await this.pool().query(
      `update pgboss.job set start_after = now() + (start_after - created_on), created_on = now()
       where state in ('created', 'retry') and created_on > now()`,
    );
    // so that a job whose process was lost is retried in time
    await this.pool().query(
      `update pgboss.job set started_on = now() where state = 'active' and started_on > now()`,
    );
    this.wake();
  }

  async work<N extends JobName>(name: N, handler: JobHandler<N>, concurrency = 1): Promise<void> {
    const boss = await this.ready();
    this.listening ??= this.listen();
    await this.listening;
    this.polling ??= setInterval(() => {
      if (this.isOneOf(POLLING)) this.wake();
    }, POLL_MS);
    const onError = (error: unknown) =>
      this.logger.warn({ err: error, job: name }, 'the job queue could not be reached');
    for (let i = 0; i < concurrency; i++) {
      const consumer = new JobConsumer(() => this.workOnOne(boss, name, handler), onError);
      this.consumers.push({ name, consumer });
    }
  }

  noteWorkers(workers: number): void {
    this.workers = workers;
  }

  /** Whether this process is one of about `most` among all, chosen at random each time. */
  private isOneOf(most: number): boolean {
    return Math.random() * this.workers < most;
  }

  isBusy(): boolean {
    return this.active.size > 0;
  }

  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    clearInterval(this.polling);
    const finished = Promise.all(this.consumers.map(({ consumer }) => consumer.stop()));
    await withinTime(finished, STOP_MS);
    const boss = await this.starting?.catch(() => null);
    for (const [id, name] of this.active)
      await boss?.fail(name, id, { message: 'the process was stopped' }).catch(() => {});
    await boss?.stop({ graceful: false });
    await this.listening?.then((listener) => listener.close()).catch(() => {});
    await this.database?.close();
  }

  /** If a start failed because the database was unavailable, the next caller retries it. */
  private ready(): Promise<PgBoss> {
    if (this.starting === null) {
      // its timers outlive the request that happens to be the first
      const starting = outsideTrace(() => this.boot());
      this.starting = starting;
      starting.catch(() => {
        if (this.starting === starting) this.starting = null;
      });
    }
    return this.starting;
  }

  private async boot(): Promise<PgBoss> {
    const { default: Boss } = await import('pg-boss');
    const onError = (error: Error) =>
      this.logger.warn({ err: error }, 'the job queue reported an error');
    // pg-boss's own connections would lose their error listeners when they break.
    const database = openDatabase(this.connection, {
      maxConnections: CONNECTIONS,
      plainTypes: true,
      onError,
    });
    const boss = new Boss({
      db: asBossDatabase(database.pool),
      schedule: false,
      supervise: this.supervise,
    });
    boss.on('error', onError);
    try {
      await startBoss(boss, database.pool);
    } catch (error) {
      await boss.stop({ graceful: false }).catch(onError);
      await database.close();
      throw error;
    }
    this.database = database;
    return boss;
  }

  private pool(): pg.Pool {
    if (this.database === null) throw new Error('the job queue has not started');
    return this.database.pool;
  }

  private async workOnOne<N extends JobName>(
    boss: PgBoss,
    name: N,
    handler: JobHandler<N>,
  ): Promise<boolean> {
    const [job] = await boss.fetch<JobData[N]>(name, { batchSize: 1, includeMetadata: true });
    if (job === undefined) return false;
    this.active.set(job.id, name);
    try {
      const failure = await this.carryOut(job, name, handler);
      // `stop` has given it up already, and closed the connections.
      if (this.isStopped && this.database?.pool.ending === true) return true;
      if (failure === null) await boss.complete(name, job.id);
      else await boss.fail(name, job.id, { message: failure });
    } finally {
      this.active.delete(job.id);
    }
    return true;
  }

  /** Why the job failed; null when it is done, or waits as a new job. */
  private async carryOut<N extends JobName>(
    job: PgBoss.JobWithMetadata<JobData[N]>,
    name: N,
    handler: JobHandler<N>,
  ): Promise<string | null> {
    try {
      const outcome = await inJobSpan(job, name, handler);
      if (outcome.kind === 'done') return null;
      if (outcome.kind === 'failed') {
        this.logger.error({ job: name, reason: outcome.reason }, 'a job failed');
        return outcome.reason;
      }
      this.logger.warn({ job: name, reason: outcome.reason }, 'a job failed and will be retried');
      const key = job.singletonKey ?? undefined;
      await this.send(name, job.data, { key, afterSeconds: outcome.afterSeconds });
      return null;
    } catch (error) {
      this.logger.error({ job: name, err: error }, 'a job failed');
      return error instanceof Error ? error.message : String(error);
    }
  }

  private wake(wanted: JobName | null = null): void {
    for (const { name, consumer } of this.consumers)
      if (wanted === null || name === wanted) consumer.wake();
  }

  /** Wakes the consumers of a job as soon as it is sent. A lost connection may have missed some jobs. */
  private async listen(): Promise<{ close(): Promise<void> }> {
    try {
      return await keepListening(this.connection, {
        channel: JOBS_CHANNEL,
        onNotification: (name) => {
          if (this.isOneOf(CALLED_AT_ONCE)) this.wake(name as JobName);
        },
        onListening: () => this.wake(),
        logger: this.logger,
      });
    } catch (error) {
      this.listening = null;
      throw error;
    }
  }
}

/** The advisory lock for creating the queues. */
const QUEUES_LOCK = { lockClass: 4_715_021, id: 0 };

/** Processes that created the same queues concurrently would deadlock, until PostgreSQL ended one of them. */
async function startBoss(boss: PgBoss, pool: pg.Pool): Promise<void> {
  if (await hasQueues(pool)) await boss.start();
  else
    await workInTurn(pool, QUEUES_LOCK, async () => {
      await boss.start();
      await createQueues(boss);
    });
}

async function hasQueues(pool: pg.Pool): Promise<boolean> {
  const { rows: found } = await pool.query("select to_regclass('pgboss.queue') is not null as has");
  if (found[0]?.has !== true) return false;
  const known = await pool.query('select name from pgboss.queue where name = any($1)', [jobNames]);
  return known.rows.length === jobNames.length;
}

async function createQueues(boss: PgBoss): Promise<void> {
  for (const name of jobNames) {
    await boss.createQueue(name, {
      name,
      // One job per key waits; while it runs, another may wait.
      policy: 'short',
      retryLimit: 3,
      retryDelay: 2,
      retryBackoff: true,
      expireInSeconds: 900,
    });
  }
}

/** The span that sent a job, stored in the job's data: handlers read only the fields they know. */
interface Traced {
  readonly traceparent?: string;
}

function withTrace<N extends JobName>(data: JobData[N]): JobData[N] & Traced {
  const traceparent = currentTraceParent();
  return traceparent === null ? data : { ...data, traceparent };
}

/** Runs within the trace in which the job was sent. */
function inJobSpan<N extends JobName>(
  { data }: PgBoss.JobWithMetadata<JobData[N]>,
  name: N,
  handler: JobHandler<N>,
): Promise<JobOutcome> {
  const { traceparent = null } = data as Traced;
  return inSpan(`job ${name}`, { kind: 'consumer', parent: traceparent }, async (span) => {
    const outcome = await handler(data);
    if (outcome.kind !== 'done') span.set({ 'ergodic.job.outcome': outcome.kind });
    return outcome;
  });
}

function asBossDatabase(db: Executor) {
  return {
    executeSql: (text: string, values?: unknown[]) =>
      db.query(text, values) as Promise<pg.QueryResult>,
  };
}

function withinTime(work: Promise<unknown>, milliseconds: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}
