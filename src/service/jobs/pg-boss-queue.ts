/** The job queue in PostgreSQL, by pg-boss: durable, shared by all processes, woken by NOTIFY instead of waiting for a poll. */

import type pg from 'pg';
import type { Db, PgBoss } from 'pg-boss';
import type { Logger } from '../logging.ts';
import {
  type Connection,
  type Database,
  type Executor,
  openDatabase,
} from '../repositories/database.ts';
import {
  type JobData,
  type JobName,
  type JobQueue,
  jobNames,
  type SendOptions,
} from './job-queue.ts';
import { keepListening } from './keep-listening.ts';

export interface PgBossQueueOptions {
  readonly connection: Connection;
  readonly logger: Logger;
  /** Only one process of a database needs to look after retries and old jobs; any worker may. */
  readonly supervise: boolean;
}

/** NOTIFY wakes the workers; this is how often they look should one be lost. */
const POLL_SECONDS = 5;

export function createPgBossQueue({ connection, logger, supervise }: PgBossQueueOptions): JobQueue {
  return new PgBossQueue(connection, logger, supervise);
}

/** Connections of its own, so that jobs move on while all others are busy. */
const CONNECTIONS = 3;

class PgBossQueue implements JobQueue {
  private boss: PgBoss | null = null;
  private database: Database | null = null;
  private starting: Promise<PgBoss> | null = null;

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
    const { tx, key, afterSeconds } = options;
    await boss.send(name, data, {
      ...(key === undefined ? {} : { singletonKey: key }),
      ...(afterSeconds === undefined ? {} : { startAfter: afterSeconds }),
      ...(tx === undefined ? {} : { db: asBossDatabase(tx) }),
    });
  }

  async work<N extends JobName>(
    name: N,
    handler: (data: JobData[N]) => Promise<import('./job-queue.ts').JobOutcome>,
    concurrency = 1,
  ): Promise<void> {
    const boss = await this.ready();
    const options = {
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
      batchSize: 1,
      localConcurrency: concurrency,
    };
    await boss.work<JobData[N]>(name, options, async ([job]) => {
      const outcome = await handler(job.data);
      if (outcome.kind === 'retry') {
        this.logger.warn({ job: name, reason: outcome.reason }, 'a job is tried again later');
        await this.send(name, job.data, {
          key: (job as { singletonKey?: string }).singletonKey,
          afterSeconds: outcome.afterSeconds,
        });
      }
      if (outcome.kind === 'failed') {
        this.logger.error({ job: name, reason: outcome.reason }, 'a job failed');
        throw new Error(outcome.reason);
      }
    });
  }

  async stop(): Promise<void> {
    await this.starting?.catch(() => {});
    const { boss, database } = this;
    this.boss = null;
    this.database = null;
    await boss?.stop({ graceful: true, timeout: 5000 });
    await database?.close();
  }

  /** A start that failed, since the database was away, is made again by the next caller. */
  private ready(): Promise<PgBoss> {
    if (this.starting === null) {
      const starting = this.boot();
      this.starting = starting;
      starting.catch(() => {
        if (this.starting === starting) this.starting = null;
      });
    }
    return this.starting;
  }

  private async boot(): Promise<PgBoss> {
    const { PgBoss } = await import('pg-boss');
    const note = (error: Error) => this.logger.warn({ err: error }, 'the job queue stumbled');
    const database = openDatabase(this.connection, {
      maxConnections: CONNECTIONS,
      plainTypes: true,
      onError: note,
    });
    const boss = new PgBoss({
      // Its own connections would lose their error listeners when they break.
      db: this.bossDatabase(database),
      schedule: false,
      supervise: this.supervise,
      useListenNotify: true,
    });
    boss.on('error', note);
    try {
      await boss.start();
      await createQueues(boss);
    } catch (error) {
      await boss.stop({ graceful: false }).catch(note);
      await database.close();
      throw error;
    }
    this.boss = boss;
    this.database = database;
    return boss;
  }

  private bossDatabase({ pool }: Database): Db {
    return {
      ...asBossDatabase(pool),
      listen: (channel, onNotification, onReconnect) =>
        keepListening(this.connection, {
          channel,
          onNotification,
          onListening: onReconnect,
          logger: this.logger,
        }),
    };
  }
}

async function createQueues(boss: PgBoss): Promise<void> {
  for (const name of jobNames) {
    await boss.createQueue(name, {
      // One waits a key; while it is worked on another may wait.
      policy: 'short',
      notify: true,
      retryLimit: 3,
      retryDelay: 2,
      retryBackoff: true,
      expireInSeconds: 900,
    });
  }
}

function asBossDatabase(tx: Executor) {
  return {
    executeSql: (text: string, values?: unknown[]) =>
      tx.query(text, values as unknown[]) as Promise<pg.QueryResult>,
  };
}
