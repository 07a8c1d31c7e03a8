/**
 * Sends one socket an experiment's updates: names, subscribed draws, log lines, errors, the end. Whatever woke it, it
 * reads the rows and sends what is new since it last sent.
 */
import {
  type ExperimentMessage,
  experimentOrderSchema,
  type LiveStatus,
} from '../../contract/live.ts';
import type { CoreContext } from '../context.ts';
import { rateLimited, ServiceError } from '../http/service-error.ts';
import { boundsOf } from '../policy/share-snapshot.ts';
import type { LiveChange } from '../repositories/chains.ts';
import { listColumns } from '../repositories/draws.ts';
import { type ExperimentRow, findExperimentById } from '../repositories/experiments.ts';
import { findLogSize, readLog } from '../repositories/logs.ts';
import type { ShareRow } from '../repositories/shares.ts';
import { statusToWire } from '../results/experiment-view.ts';
import type { ExperimentNews, RunnerMessage } from './change-feed.ts';
import { DrawStream } from './draw-stream.ts';
import type { LiveSocket } from './live-socket.ts';
import type { LiveTimes } from './live-times.ts';
import type { SharedReads } from './shared-reads.ts';
import { errorData, readMessage } from './socket-calls.ts';
import { WakeLoop } from './wake-loop.ts';

type Reason = LiveChange | 'all' | 'subscribed';

const endedStatuses: ReadonlySet<string> = new Set(['FIN', 'ERR']);
/** Bytes of a log that are read at once; a longer line is sent in parts. */
const logBlock = 64 * 1024;
/** Messages that a client may send per second, approximately. */
const messagesASecond = 50;

export interface WatchedExperiment {
  readonly id: number;
  readonly shortId: string;
}

export const experimentFrame = (shortId: string, message: ExperimentMessage) => ({
  group: `object_${shortId}`,
  type: 'object_broadcast',
  message,
});

/** A share's viewer is sent what the share froze, once: it never changes. */
export async function sendSnapshot(
  { pool }: CoreContext,
  socket: LiveSocket,
  share: ShareRow,
): Promise<void> {
  const shortId = share.object_short_id;
  const columns = (await listColumns(pool, share.object_id)).map((column) => column.name);
  const chains = [...boundsOf(share)].filter(([, last]) => last > 0);
  const data = chains.map(([chain]) => ({ chain, names: columns }));
  if (data.length > 0) await socket.send(experimentFrame(shortId, { action: 'names', data }));
  await socket.send(experimentFrame(shortId, { action: 'experiment:finish' }));
}

export class ExperimentSession {
  private readonly draws: DrawStream;
  private readonly loop: WakeLoop<Reason>;
  /** When it was last woken. */
  private wokenAt = 0;
  private since = 0;
  private hasSubscriptions = false;
  private logBytes = 0;
  private line = '';
  private sent: LiveStatus | null = null;
  private sentAt = Number.NEGATIVE_INFINITY;
  private isFinished = false;
  private messages = 0;
  private messagesSince = 0;

  constructor(
    private readonly context: CoreContext,
    private readonly socket: LiveSocket,
    private readonly experiment: WatchedExperiment,
    private readonly shared: { readonly times: LiveTimes; readonly reads: SharedReads },
  ) {
    this.draws = new DrawStream(context.pool, experiment.id, (key, ask) => this.read(key, ask));
    this.loop = new WakeLoop<Reason>({
      work: (reasons) => this.look(reasons),
      pauseMs: shared.times.roundMs,
      logger: context.logger,
      onFault: (error) => {
        context.logger.error({ err: error, experiment: experiment.shortId }, 'a socket failed');
        void socket.close(1011, 'The service failed; see its log.');
      },
    });
  }

  /** The log is sent from its current end on; a client reads the beginning through the log endpoint. */
  async start(): Promise<void> {
    const { bytes } = await findLogSize(this.context.pool, this.experiment.id, 'stdlog');
    this.logBytes = bytes;
    this.socket.onText((text) => this.onMessage(text));
    this.rouse('all');
  }

  private rouse(reason: Reason, at = performance.now()): void {
    this.wokenAt = at;
    this.loop.wake(reason);
  }

  /** Shares the read with the other sockets of this run that the same event woke. */
  private read<T>(what: string, ask: () => Promise<T>): Promise<T> {
    return this.shared.reads.read(`${this.experiment.id} ${what}`, this.since, ask);
  }

  wake({ what, message, at }: ExperimentNews): void {
    if (message !== undefined) this.pass(message);
    else this.rouse(what, at);
  }

  /** An outside runner's message unchanged, except `finish`: the session sends the end itself, after all draws. */
  private pass(message: RunnerMessage): void {
    if (message.action === 'experiment:finish') return;
    void this.say(message as ExperimentMessage);
  }

  stop(): void {
    this.loop.stop();
  }

  private onMessage(text: string): void {
    try {
      this.countMessage();
      // Unknown messages are ignored, like other servers do.
      const message = experimentOrderSchema.safeParse(readMessage(text));
      if (!message.success) return;
      const { action, data } = message.data;
      if (action === 'unsubscribe') {
        this.draws.unsubscribe(data);
        return;
      }
      this.hasSubscriptions = true;
      this.draws.subscribe(data);
      this.rouse('subscribed');
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      void this.say({ action: 'error', data: errorData(error) });
    }
  }

  private countMessage(): void {
    const now = performance.now();
    if (now - this.messagesSince > 1000) {
      this.messagesSince = now;
      this.messages = 0;
    }
    if (++this.messages <= messagesASecond) return;
    const message = 'Too many messages at once; subscribe to several variables in one message.';
    throw rateLimited(message, 1);
  }

  private say(message: ExperimentMessage): Promise<void> {
    return this.socket.send(experimentFrame(this.experiment.shortId, message));
  }

  private async look(reasons: ReadonlySet<Reason>): Promise<void> {
    this.since = this.wokenAt;
    const { pool } = this.context;
    const { id } = this.experiment;
    const isAny = reasons.has('all');
    const isNews = isAny || reasons.has('status');
    const isDue = performance.now() - this.sentAt >= this.shared.times.progressMs;
    // Read first: what the rows say about the end only applies to draws read after them.
    const row =
      isNews || (reasons.has('draws') && isDue)
        ? await this.read('row', () => findExperimentById(pool, id))
        : null;
    if (isNews || reasons.has('draws')) await this.sendNames();
    const isEnded = row !== null && endedStatuses.has(row.status ?? '');
    await this.sendDraws(isEnded);
    if (isNews || reasons.has('log')) await this.sendLines();
    if (row !== null) await this.sendStatus(row);
  }

  private async sendNames(): Promise<void> {
    const data = await this.draws.newNames();
    if (data.length > 0)
      await this.say({
        action: 'names',
        data: data.map(({ chain, names }) => ({ chain, names: [...names] })),
      });
  }

  /** At the end of a run: all draws. Before that: for a limited time, so that draws do not delay other messages. */
  private async sendDraws(isEnded: boolean): Promise<void> {
    const began = performance.now();
    while (this.hasSubscriptions && this.socket.isOpen) {
      const data = await this.draws.nextItems();
      if (data.length === 0) return;
      await this.say({ action: 'experiment:event', data });
      if (isEnded || performance.now() - began < this.shared.times.drawsMs) continue;
      this.rouse('draws');
      return;
    }
  }

  private async sendLines(): Promise<void> {
    const { pool } = this.context;
    const which = { experimentId: this.experiment.id, stream: 'stdlog' } as const;
    const { bytes } = await this.read('log', () =>
      findLogSize(pool, which.experimentId, which.stream),
    );
    while (this.logBytes < bytes && this.socket.isOpen) {
      const to = Math.min(bytes, this.logBytes + logBlock);
      const from = this.logBytes;
      const range = await this.read(`log ${from} ${to}`, () =>
        readLog(pool, { ...which, from, to }),
      );
      if (range.to <= this.logBytes) return;
      this.logBytes = range.to;
      await this.sendText(this.line + range.text);
    }
  }

  private async sendText(text: string): Promise<void> {
    const lines = text.split('\n');
    this.line = lines.pop() ?? '';
    for (const line of lines) await this.say({ action: 'experiment:output', data: `${line}\n` });
    if (this.line.length > logBlock) await this.sendRest();
  }

  private async sendRest(): Promise<void> {
    const data = this.line;
    this.line = '';
    if (data !== '') await this.say({ action: 'experiment:output', data });
  }

  private async sendStatus(row: ExperimentRow): Promise<void> {
    const status = statusToWire(row.status ?? '');
    const { progress, queue_place: queuePlace } = row.meta;
    const now: LiveStatus = {
      status,
      n_samples: row.n_samples,
      action: row.meta.action ?? '',
      ...(progress ? { progress } : {}),
      ...(queuePlace ? { queue_place: queuePlace } : {}),
    };
    if (this.sent?.status === 'NEW' && status === 'RUN') await this.say({ action: 'start' });
    if (JSON.stringify(now) !== JSON.stringify(this.sent))
      await this.say({ action: 'experiment:status', data: now });
    this.sent = now;
    this.sentAt = performance.now();
    const isEnded = endedStatuses.has(status);
    if (isEnded && !this.isFinished) await this.sendEnd(row, status);
    // An extended run continues, and ends once more.
    this.isFinished = isEnded;
  }

  private async sendEnd(row: ExperimentRow, status: string): Promise<void> {
    await this.sendRest();
    const data = row.meta.error?.message ?? 'The run failed.';
    if (status === 'ERR') await this.say({ action: 'experiment:error', data });
    await this.say({ action: 'experiment:finish' });
  }
}
