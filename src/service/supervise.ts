/**
 * Keeps the service running: locks the data folder and runs its PostgreSQL, runs the service in a separate process,
 * restarts it when it ends unexpectedly, and stops everything in order.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { builtServerFile } from './built-file.ts';
import type { ServiceConfig } from './config.ts';
import { type DataFolderHold, holdDataFolder } from './hold-data-folder.ts';
import { embeddedConnection, serverConnection } from './postgres/connection.ts';
import type { Connection } from './repositories/database.ts';
import { createRestartPolicy } from './restart-policy.ts';
import type { FromService, ServiceReady, ToService } from './service-messages.ts';

export interface SuperviseOptions {
  readonly config: ServiceConfig;
  /** Shows a message to the operator; never the sign-in link. */
  readonly say: (text: string) => void;
  /** Reports an error of the start. */
  readonly report: (error: unknown) => void;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  readonly flushMs?: number;
  /** Called once, with the sign-in link. */
  readonly onReady: (ready: ServiceReady) => void;
}

/** A service that needs longer to stop is killed; everything it acknowledged is stored. */
const STOP_MS = 30_000;

export function supervise(options: SuperviseOptions): ServiceSupervisor {
  return new ServiceSupervisor(options);
}

class ServiceSupervisor {
  /** The exit code, once everything has ended. */
  readonly ended: Promise<number>;
  private hold: DataFolderHold | null = null;
  private connection: Connection | null = null;
  private child: ChildProcess | null = null;
  private gone: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private readySince: number | null = null;
  /** The port of the first start, which is reused. */
  private ready: ServiceReady | null = null;
  private isEnding = false;
  private finish: (code: number) => void = () => {};
  private readonly starting: Promise<void>;
  private readonly policy = createRestartPolicy();

  constructor(private readonly options: SuperviseOptions) {
    this.ended = new Promise((resolve) => {
      this.finish = resolve;
    });
    this.starting = this.start().catch((error: unknown) => {
      options.report(error);
      this.end(1);
    });
  }

  /** Stops everything in order; one call is enough. */
  stop(): void {
    this.end(0);
  }

  /** Kills the service immediately; its guard still stops PostgreSQL in order. */
  abandon(): void {
    this.isEnding = true;
    this.child?.kill('SIGKILL');
  }

  private async start(): Promise<void> {
    const { config, say } = this.options;
    const { dataDir, databaseUrl } = config;
    if (databaseUrl !== '') {
      this.connection = serverConnection(config);
      this.launch();
      return;
    }
    this.hold = await holdDataFolder({ dataDir, what: 'ergodic serve', say });
    if (this.isEnding) return;
    // It loads while PostgreSQL starts.
    this.launch();
    const postgres = await this.hold.startPostgres((reason) => say(`${reason}; restarting it.`));
    this.connection = embeddedConnection(postgres);
    void postgres.ended.then((reason) => this.giveUp(reason));
    this.sendStart();
  }

  private launch(): void {
    const lifeline = this.hold?.lifeline ?? 'ignore';
    const child = fork(builtServerFile('service.js'), {
      stdio: ['ignore', 2, 2, 'ipc', lifeline],
      execArgv: [],
    });
    this.child = child;
    this.readySince = null;
    let hasRefused = false;
    this.gone = new Promise((resolve) => {
      child.on('error', (error) => {
        this.options.say(`The service could not be started: ${error.message}`);
        if (child.pid === undefined) resolve();
      });
      child.once('exit', (code, signal) => {
        resolve();
        this.onExit(hasRefused, signal ?? `exit code ${code}`);
      });
    });
    child.on('message', (message: FromService) => {
      if (message.type === 'ready') this.onReady(message.ready);
      if (message.type === 'refused') hasRefused = true;
      if (message.type === 'terminate') this.stop();
    });
    this.sendStart();
  }

  /** Called once both exist: the process, and its database. */
  private sendStart(): void {
    const { connection, ready } = this;
    if (connection === null || this.child === null) return;
    const { config, isTerminal, flushMs } = this.options;
    this.send({
      type: 'start',
      settings: {
        config: ready === null ? config : { ...config, port: ready.port },
        connection,
        isEmbedded: config.databaseUrl === '',
        isTerminal,
        isRestart: ready !== null,
        flushMs,
      },
    });
  }

  private send(message: ToService): void {
    if (this.child?.connected === true) this.child.send(message, () => {});
  }

  private onReady(ready: ServiceReady): void {
    this.readySince = performance.now();
    if (this.ready !== null) return;
    this.ready = ready;
    if (!this.isEnding) this.options.onReady(ready);
  }

  private onExit(hasRefused: boolean, how: string): void {
    if (this.isEnding) return;
    if (hasRefused && this.ready === null) {
      this.end(1);
      return;
    }
    const livedMs = this.readySince === null ? 0 : performance.now() - this.readySince;
    const waitMs = this.policy.next(livedMs);
    if (waitMs === null) {
      this.giveUp(`the service ended (${how}) repeatedly; see its log.`);
      return;
    }
    this.options.say(`The service ended (${how}); restarting it.`);
    this.timer = setTimeout(() => this.launch(), waitMs);
  }

  private giveUp(reason: string): void {
    if (this.isEnding) return;
    this.options.say(`Ergodic cannot continue: ${reason}`);
    this.end(1);
  }

  private end(code: number): void {
    if (this.isEnding) return;
    this.isEnding = true;
    clearTimeout(this.timer);
    void this.endAll()
      .catch((error: unknown) => {
        this.options.report(error);
        return 1;
      })
      .then((failure) => this.finish(failure ?? code));
  }

  private async endAll(): Promise<void> {
    const { child } = this;
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      this.send({ type: 'stop' });
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await this.gone;
      clearTimeout(killer);
    }
    // A PostgreSQL that is still starting is stopped once it runs.
    await this.starting;
    await this.hold?.release();
  }
}
