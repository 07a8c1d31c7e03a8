/** The experiment of a watch on the service: created or found again, filled with draws, finished. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../client/create-client.ts';
import { expectKind } from '../client/expect-kind.ts';
import type { ChainProgress, Experiment } from '../contract/experiment.ts';
import type { FollowedHead, FollowedProgress } from '../formats/stan-csv-follower.ts';
import { settingsOf } from '../formats/stan-import.ts';
import { type ChainMark, ChainNames, isSameChain, markOf, readMarks } from './watch-chains.ts';
import type { FollowedFile } from './watch-files.ts';
import type { Clock, Link } from './watch-link.ts';

export interface RunParts {
  readonly client: Client;
  readonly link: Link;
  readonly clock: Clock;
  /** Set when the user stops the watch. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export interface NewRun {
  readonly name: string;
  readonly modelId: string;
  readonly dataId: string;
  readonly head: FollowedHead;
  readonly files: readonly FollowedFile[];
}

/** Values per message: some megabytes of JSON, which the service stores immediately. */
const MOST_VALUES = 200_000;
/** Experiments that are searched for the one that an earlier watch created. */
const MOST_LOOKED = 300;
const PROGRESS_MS = 2000;
/** The service shows a run as silent after five minutes. */
const HEARTBEAT_MS = 60_000;
const NEVER = Number.NEGATIVE_INFINITY;

interface ChainState {
  readonly progress: FollowedProgress;
  /** Iterations between two rows. */
  readonly thin: number;
}

export class WatchedRun {
  readonly id: string;
  /** An earlier watch created it. */
  readonly isFound: boolean;
  private readonly key = { batch_id: randomUUID(), run_id: randomUUID() };
  private readonly names: ChainNames;
  private readonly states = new Map<string, ChainState>();
  private readonly sent = new Map<string, number>();
  /** Attempts that were followed by another one. */
  private readonly ended = new Set<string>();
  private leftOut: readonly string[];
  private progressAt = NEVER;
  private spokeAt = NEVER;
  private keptMarks = '';
  private lastProgress = '';
  private readonly rates = new Map<string, { at: number; draws: number; rate: number }>();

  private constructor(
    private readonly parts: RunParts,
    private readonly experiment: Experiment,
    isFound: boolean,
  ) {
    this.id = experiment.short_id;
    this.isFound = isFound;
    this.names = new ChainNames(readMarks(experiment.meta));
    this.leftOut = experiment.meta?.chains_left_out ?? [];
  }

  /** Opens the experiment of an earlier watch of these files, otherwise a new one. Throws `ApiError`. */
  static async open(parts: RunParts, made: NewRun): Promise<WatchedRun> {
    const { client, link } = parts;
    const marks = made.files.map(markOf).filter((mark) => mark !== null);
    const { experiment, isFound } = await link(async () => {
      const found = await findEarlier(client, marks);
      if (found !== null) return { experiment: found, isFound: true };
      return { experiment: await createExperiment(client, made), isFound: false };
    });
    return new WatchedRun(parts, experiment, isFound);
  }

  /** The service has all of these files, and has judged them. */
  isDone(files: readonly FollowedFile[]): boolean {
    const { status, meta } = this.experiment;
    const marks = Object.values(readMarks(meta));
    const isKnown = (file: FollowedFile) => {
      const mark = markOf(file);
      const same = mark && marks.find((other) => isSameChain(other, mark));
      return Boolean(same) && file.follower.progress().phase === 'done';
    };
    const watch = meta?.watch as { is_complete?: unknown } | undefined;
    return status === 'FIN' && watch?.is_complete === true && files.every(isKnown);
  }

  async begin(): Promise<void> {
    await this.update({ status: 'RUN', meta: { run_info: this.info('RUN') } });
    this.spokeAt = this.parts.clock.now();
  }

  /** Sends these files' waiting draws and each chain's progress. Throws `ApiError` for what the service rejects. */
  async send(files: readonly FollowedFile[]): Promise<void> {
    const chains = files.map((file) => ({ file, name: this.nameOf(file) }));
    await this.keepMarks();
    while (files.some((file) => file.follower.waiting() > 0)) await this.sendDraws(chains);
    await this.leaveOutEarlier(chains.map(({ name }) => name));
    const now = this.parts.clock.now();
    if (now - this.progressAt >= PROGRESS_MS) await this.sendProgress();
    if (now - this.spokeAt >= HEARTBEAT_MS) await this.log([]);
  }

  /** Number of draws sent, by chain. */
  counts(): ReadonlyMap<string, number> {
    return this.sent;
  }

  progressOf(file: FollowedFile): { name: string; progress: FollowedProgress } {
    return { name: this.nameOf(file), progress: file.follower.progress() };
  }

  /** Adds lines to the run's log. None: only shows that the watch is alive. */
  async log(lines: readonly string[]): Promise<void> {
    await this.post({
      object_type: 'experiment.text_message',
      datas: lines.map((line) => ({
        group: `object_${this.id}`,
        type: 'object_broadcast',
        message: { action: 'experiment:output', data: `${line}\n` },
      })),
    });
  }

  /** Reports that sampling is over. Returns the experiment with its verdict, or without it after a minute. */
  async finish(numWarmup: number | null): Promise<Experiment> {
    await this.update({
      status: 'SAMPLE_FIN',
      meta: {
        run_info: this.info('SAMPLE_FIN'),
        progress: this.progress(),
        watch: { is_complete: true },
        // sent at the end: an ongoing run would be asked for warmup draws
        ...(numWarmup === null ? {} : { settings: { num_warmup: numWarmup } }),
      },
    });
    const { clock, signal } = this.parts;
    const since = clock.now();
    for (;;) {
      const experiment = await this.view();
      if (experiment.status !== 'RUN' || clock.now() - since > 60_000 || signal.aborted)
        return experiment;
      await clock.sleep(500, signal);
    }
  }

  /** Like a stop by the owner: what was sent is judged and kept, and another watch can continue. */
  async stop(): Promise<void> {
    await this.sendProgress();
    await this.update({ action: 'stop' });
  }

  private nameOf(file: FollowedFile): string {
    const mark = markOf(file);
    const head = file.follower.head();
    if (mark === null || head === null) return '';
    const name = this.names.nameOf(mark, head.chainId);
    for (const earlier of this.names.before(name)) this.ended.add(earlier);
    const thin = Math.max(1, Number(head.config.get('thin') ?? 1) || 1);
    this.states.set(name, { progress: file.follower.progress(), thin });
    return name;
  }

  /** Sent before their draws: a restarted watch must know them. */
  private async keepMarks(): Promise<void> {
    const text = JSON.stringify(this.names.marks);
    if (text === this.keptMarks) return;
    await this.update({ meta: { watch: { chains: this.names.marks, is_complete: false } } });
    this.keptMarks = text;
  }

  private async sendDraws(
    chains: readonly { readonly file: FollowedFile; readonly name: string }[],
  ): Promise<void> {
    const vars: Record<string, Record<string, (number | string)[]>> = {};
    const iteration: Record<string, [number, number]> = {};
    let room = MOST_VALUES;
    for (const { file, name } of chains) {
      const variables = file.follower.head()?.variables ?? [];
      const most = Math.floor(room / variables.length) || (room === MOST_VALUES ? 1 : 0);
      const rows = file.follower.take(most);
      if (rows.length === 0) continue;
      room -= rows.length * variables.length;
      const before = this.sent.get(name) ?? 0;
      vars[name] = columnsOf(variables, rows);
      iteration[name] = [before + 1, before + rows.length];
      this.sent.set(name, before + rows.length);
    }
    await this.post({ object_type: 'experiment.protobuf_message', logs: { vars, iteration } });
  }

  /** Draws of an abandoned attempt stay, but are not judged. */
  private async leaveOutEarlier(names: readonly string[]): Promise<void> {
    const begun = names.filter((name) => (this.sent.get(name) ?? 0) > 0);
    const earlier = begun.flatMap((name) => this.names.before(name));
    const news = earlier.filter((name) => !this.leftOut.includes(name));
    if (news.length === 0) return;
    this.leftOut = [...this.leftOut, ...news];
    await this.update({ meta: { chains_left_out: [...this.leftOut] } });
  }

  private async sendProgress(): Promise<void> {
    this.progressAt = this.parts.clock.now();
    const progress = this.progress();
    const text = JSON.stringify(progress);
    if (text === this.lastProgress) return;
    this.lastProgress = text;
    await this.update({ meta: { progress } });
  }
  /** Iterations of sampling: the files do not mention a warmup that is not saved. */
  private progress() {
    const chains = [...this.states].map(([name, { progress, thin }]): ChainProgress => {
      const of = (progress.expected ?? progress.draws) * thin;
      return {
        name,
        phase: this.phaseOf(name, progress),
        iteration: Math.min(of, progress.draws * thin),
        of,
        draws_per_second: this.rateOf(name, progress),
        draws: progress.draws,
        divergences: progress.divergences,
      };
    });
    const sum = (part: (chain: ChainProgress) => number) =>
      chains.reduce((total, chain) => total + part(chain), 0);
    return { done: sum(({ iteration }) => iteration), total: sum(({ of }) => of), chains };
  }

  private phaseOf(name: string, { phase }: FollowedProgress): ChainProgress['phase'] {
    if (this.ended.has(name) && phase !== 'done') return 'failed';
    return phase === 'head' ? 'waiting' : phase;
  }

  /** Rate since the last request that found new draws. */
  private rateOf(name: string, { draws, phase }: FollowedProgress): number | null {
    const now = this.parts.clock.now();
    const last = this.rates.get(name);
    if (phase !== 'sampling') return null;
    if (last === undefined || draws < last.draws) this.rates.set(name, { at: now, draws, rate: 0 });
    else if (draws > last.draws && now > last.at) {
      const rate = ((draws - last.draws) * 1000) / (now - last.at);
      this.rates.set(name, { at: now, draws, rate });
    }
    return this.rates.get(name)?.rate || null;
  }

  private info(status: string) {
    return { ...this.key, experiment_id: this.id, status };
  }

  private async view(): Promise<Experiment> {
    const { client, link } = this.parts;
    const view = await link(() => client.viewObject({ params: { objid: this.id } }));
    return expectKind(view, 'experiment');
  }

  private async update(change: {
    readonly status?: string;
    readonly action?: string;
    readonly meta?: Record<string, unknown>;
  }): Promise<void> {
    const payload = { object_type: 'experiment' as const, ...change };
    await this.deliver(payload);
  }

  private async post(
    message:
      | { object_type: 'experiment.text_message'; datas: Record<string, unknown>[] }
      | { object_type: 'experiment.protobuf_message'; logs: Record<string, unknown> },
  ): Promise<void> {
    await this.deliver({ ...message, ...this.key });
    this.spokeAt = this.parts.clock.now();
  }

  private async deliver(payload: Payload): Promise<void> {
    const { client, link } = this.parts;
    await link(() => client.updateObject({ params: { objid: this.id }, body: { payload } }));
  }
}

type Payload = Parameters<Client['updateObject']>[0]['body']['payload'];

/** Values by variable; values that JSON cannot represent become text. */
function columnsOf(
  variables: readonly string[],
  rows: readonly (readonly number[])[],
): Record<string, (number | string)[]> {
  const valueOf = (value: number) => (Number.isFinite(value) ? value : String(value));
  return Object.fromEntries(
    variables.map((variable, c) => [variable, rows.map((row) => valueOf(row[c] as number))]),
  );
}

async function findEarlier(
  client: Client,
  marks: readonly ChainMark[],
): Promise<Experiment | null> {
  const page = await client.listObjects({
    query: { object_type: 'experiment', page_size: MOST_LOOKED },
  });
  for (const entry of page.objects) {
    if (entry.object_type !== 'experiment') continue;
    const known = Object.values(readMarks(entry.meta));
    if (marks.some((mark) => known.some((other) => isSameChain(other, mark)))) return entry;
  }
  return null;
}

async function createExperiment(client: Client, made: NewRun): Promise<Experiment> {
  const { head, files, name, modelId, dataId } = made;
  const { num_warmup: _, save_warmup: __, ...settings } = settingsOf(head.config);
  const names = new ChainNames({});
  for (const file of files) {
    const mark = markOf(file);
    if (mark !== null) names.nameOf(mark, file.follower.head()?.chainId ?? null);
  }
  const expected = files[0]?.follower.progress().expected ?? null;
  const payload = {
    object_type: 'experiment' as const,
    name: name.slice(0, 255),
    model_id: modelId,
    input_id: dataId,
    run_on: 'local',
    meta: {
      settings,
      ...(expected === null ? {} : { iteration_count: expected }),
      watch: { chains: names.marks },
    },
  };
  return expectKind(await client.createObject({ body: { payload } }), 'experiment');
}
