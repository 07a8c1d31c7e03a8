/** Follows the files of a run until it ends: looks for news, sends it and reports it. */
import { basename } from 'node:path';
import type { Experiment } from '../contract/experiment.ts';
import type { FollowedHead } from '../formats/stan-csv-follower.ts';
import { StartError } from '../service/start-error.ts';
import type { FileSource, FollowedFile } from './watch-files.ts';
import { type RunParts, WatchedRun } from './watch-run.ts';
import { WatchedSet, type WatchTarget } from './watch-set.ts';

export interface WatchRequest {
  readonly target: WatchTarget;
  /** Empty: named after the files. */
  readonly name: string;
  /** For files that are complete or never will be: reads what is there and ends. */
  readonly once: boolean;
  /** Chains the run will have; null: as many as appear. */
  readonly chains: number | null;
  /** Milliseconds between looks. */
  readonly everyMs: number;
  /** Milliseconds without growth after which the run counts as ended; null: waits forever. */
  readonly idleMs: number | null;
  /** Address of the experiment, for people. */
  readonly addressOf: (id: string) => string;
  /** Ids of program and data, empty: none. Requested when the first file is there. */
  readonly program: () => Promise<{ readonly modelId: string; readonly dataId: string }>;
}

export interface WatchParts extends RunParts {
  readonly source: FileSource;
}

export interface WatchEnd {
  readonly how: 'finished' | 'stopped' | 'nothing';
  /** Null: there was nothing to create one from. */
  readonly experiment: Experiment | { readonly short_id: string } | null;
}

/** Time for another chain to start once all known ones are complete: samplers may run one after the other. */
const LAST_CHAIN_MS = 10_000;
/** A chain that has not grown for this long is reported. */
const SLOW_MS = 5 * 60_000;
const COUNTS_MS = 10_000;

/** Throws `StartError` for files that are not a run's chains, `ApiError` for what the service rejects. */
export async function watchRun(parts: WatchParts, request: WatchRequest): Promise<WatchEnd> {
  const watch = new Watch(parts, request);
  for (;;) {
    const end = await watch.round();
    if (end !== null) return end;
    if (!watch.set.hasMore()) await parts.clock.sleep(request.everyMs, parts.signal);
  }
}

class Watch {
  readonly set: WatchedSet;
  private run: WatchedRun | null = null;
  private isWaitingSaid = false;
  private completeSince: number | null = null;
  private countsAt = Number.NEGATIVE_INFINITY;
  private counts = '';
  /** What was reported about each file. */
  private readonly reported = new Map<FollowedFile, Set<string>>();

  constructor(
    private readonly parts: WatchParts,
    private readonly request: WatchRequest,
  ) {
    this.set = new WatchedSet(request.target);
  }

  /** Looks once; null: not ended yet. */
  async round(): Promise<WatchEnd | null> {
    const { source, clock, say, signal } = this.parts;
    await this.set.look({ source, now: clock.now(), say });
    if (this.run === null && this.set.files.length > 0) {
      const end = await this.begin();
      if (end !== null) return end;
    }
    if (this.run === null) return this.waitForFiles();
    await this.run.send(this.set.files);
    await this.report(this.run);
    if (this.set.hasMore() && !signal.aborted) return null;
    if (signal.aborted) return this.stop(this.run);
    return this.isOver() ? this.finish(this.run) : null;
  }

  private waitForFiles(): WatchEnd | null {
    const { target, once } = this.request;
    const { signal, say } = this.parts;
    const place = target.folder ?? target.files.join(', ');
    if (once && !this.set.hasMore())
      throw new StartError(`There are no CmdStan draws in ${place}.`);
    if (signal.aborted) return { how: 'nothing', experiment: null };
    if (!this.isWaitingSaid && !this.set.hasMore()) {
      say(`Waiting for CmdStan to write CSV files: ${place}`);
      this.isWaitingSaid = true;
    }
    return null;
  }

  /** Creates the experiment, or finds the one of an earlier watch. */
  private async begin(): Promise<WatchEnd | null> {
    const { say, link } = this.parts;
    const { name, program, addressOf } = this.request;
    const { files, head, stem } = this.set;
    if (head === null) return null;
    const made = { name: name || nameOf(stem, head), head, files, ...(await link(program)) };
    const run = await WatchedRun.open(this.parts, made);
    const isDone = run.isFound && run.isDone(files);
    say(
      `${isDone ? 'Already complete' : run.isFound ? 'Continuing' : 'Experiment'} ${addressOf(run.id)}`,
    );
    if (isDone) return { how: 'finished', experiment: { short_id: run.id } };
    await run.begin();
    this.run = run;
    return null;
  }

  private async stop(run: WatchedRun): Promise<WatchEnd> {
    await run.stop();
    this.parts.say(`Stopped. ${countsText(run)} are kept; watch again to continue.`);
    return { how: 'stopped', experiment: { short_id: run.id } };
  }

  private async finish(run: WatchedRun): Promise<WatchEnd> {
    const open = this.set.files.filter((file) => !isComplete(file));
    for (const file of open) {
      const { name, progress } = run.progressOf(file);
      this.parts.say(`${name} is incomplete: ${drawsText(progress)}.`);
    }
    const warmup = Number(this.set.head?.config.get('num_warmup') ?? Number.NaN);
    const experiment = await run.finish(Number.isNaN(warmup) ? null : warmup);
    return { how: 'finished', experiment };
  }

  private isOver(): boolean {
    const { once, chains, idleMs, target } = this.request;
    const { files, head } = this.set;
    const now = this.parts.clock.now();
    if (once) return true;
    const grewAt = Math.max(...files.map((file) => file.grewAt));
    if (idleMs !== null && now - grewAt >= idleMs) {
      this.parts.say(`No file has grown for ${Math.round(idleMs / 60_000)} minutes.`);
      return true;
    }
    const named = target.folder === null ? target.files.length : 0;
    const oneProcess = Number(head?.config.get('num_chains') ?? 1) || 1;
    const wanted = Math.max(chains ?? 0, named, oneProcess);
    if (!files.every(isComplete) || files.length < wanted) {
      this.completeSince = null;
      return false;
    }
    if (chains !== null || named > 0 || oneProcess > 1) return true;
    this.completeSince ??= now;
    return now - this.completeSince >= LAST_CHAIN_MS;
  }

  /** Reports news of each chain to the terminal and the run's log, and at intervals the number of draws. */
  private async report(run: WatchedRun): Promise<void> {
    const { say, clock } = this.parts;
    const lines: string[] = [];
    for (const file of this.set.files) {
      const { name, progress } = run.progressOf(file);
      for (const [what, line] of eventsOf(file, clock.now())) {
        const known = this.reported.get(file) ?? new Set<string>();
        this.reported.set(file, known);
        const mark = `${file.attempt} ${what}`;
        if (known.has(mark)) continue;
        known.add(mark);
        lines.push(`${name}: ${line(progress)}`);
      }
    }
    for (const line of lines) say(line);
    if (lines.length > 0) await run.log(lines);
    const counts = countsText(run);
    if (counts === this.counts || clock.now() - this.countsAt < COUNTS_MS) return;
    this.counts = counts;
    this.countsAt = clock.now();
    if (run.counts().size > 0) say(counts);
  }
}

type Progress = ReturnType<FollowedFile['follower']['progress']>;

/** What there is to report about a file now, each once. */
function eventsOf(file: FollowedFile, now: number): [string, (progress: Progress) => string][] {
  const { phase, stepSize } = file.follower.progress();
  const name = basename(file.path);
  const again = file.attempt > 1 ? `started again (${name})` : `following ${name}`;
  const events: [string, (progress: Progress) => string][] = [['begun', () => again]];
  if (stepSize !== null) events.push(['adapted', () => `warmup is over, step size ${stepSize}`]);
  if (file.problem !== null)
    events.push(['problem', () => `cannot be read further, ${file.problem}`]);
  else if (phase === 'done')
    events.push(['done', (progress) => `complete, ${drawsText(progress)}`]);
  else if (now - file.grewAt >= SLOW_MS)
    events.push([
      'slow',
      (progress) =>
        `has not grown for 5 minutes (${drawsText(progress)}). CmdStan writes in blocks, so it may be slow; if it is dead, stop with Ctrl-C to keep the draws so far`,
    ]);
  return events;
}

function drawsText({ draws, expected }: Progress): string {
  return expected === null ? `${draws} draws` : `${draws} of ${expected} draws`;
}

/** "Draws: 120, 115, 0, 98". */
function countsText(run: WatchedRun): string {
  const counts = [...run.counts()];
  if (counts.length === 0) return 'No draws';
  return `Draws: ${counts.map(([name, draws]) => `${name} ${draws}`).join(', ')}`;
}

const isComplete = (file: FollowedFile): boolean =>
  file.problem !== null || file.follower.progress().phase === 'done';

/** The program's name, or a telling name that the files share. */
function nameOf(stem: string, { config }: FollowedHead): string {
  const model = (config.get('model') ?? '').replace(/_model$/, '');
  if (stem === '' || /^(?:output|samples?|draws|chain|fit)$/i.test(stem)) return model || 'CmdStan';
  return stem;
}
