/** A sampling run that advances only when a test moves it on: seeded draws, progress and summary as on a server. */
import type { EncodedColumn, Summary } from '../../src/contract/draws.ts';
import type { ChainProgress, Experiment } from '../../src/contract/experiment.ts';
import { longCsvRows } from '../../src/formats/long-csv.ts';
import { isSamplerColumn } from '../../src/posterior/draws.ts';
import { ebfmi } from '../../src/posterior/ebfmi.ts';
import { summarise } from '../../src/posterior/summary.ts';
import { judge } from '../../src/posterior/verdict.ts';
import { createFakeExperiment } from './fake-objects.ts';
import { seededRng } from './seeded-rng.ts';

export interface FakeRunOptions {
  readonly id?: string;
  readonly name?: string;
  readonly numChains?: number;
  readonly variables?: readonly string[];
  readonly numWarmup?: number;
  readonly numSamples?: number;
  readonly thin?: number;
  /** Chain → distance of its draws from the others': a large one spoils R-hat. */
  readonly shifts?: Readonly<Record<number, number>>;
  /** Divergent saved draws of the sampling phase, as [chain, iteration], both from 1. */
  readonly divergent?: readonly (readonly [number, number])[];
  /** Omits the sampler's columns, as other servers may. */
  readonly withoutSampler?: boolean;
  readonly status?: string;
  /** What runs it as a program, if not our sampler. */
  readonly runtime?: string;
  /** Of each chain. */
  readonly profiles?: Summary['chains'][number]['profiles'];
}

type Phase = 'warmup' | 'sampling';

export class FakeRun {
  readonly id: string;
  status: string;
  action = '';
  /** Iterations done by chain, warmup and sampling together. */
  readonly iterations: number[];
  /** Names of chains excluded from summary and plots. */
  leftOut: readonly string[] = [];
  readonly variables: readonly string[];
  readonly settings: { num_warmup: number; num_samples: number; thin: number; seed: number };
  private readonly options: FakeRunOptions;
  private readonly columns = new Map<string, Float64Array>();
  revision = 0;

  constructor(options: FakeRunOptions = {}) {
    this.options = options;
    this.id = options.id ?? 'X0000001';
    this.status = options.status ?? 'RUN';
    const { numWarmup = 40, numSamples = 120, thin = 1 } = options;
    this.settings = { num_warmup: numWarmup, num_samples: numSamples, thin, seed: 7 };
    this.variables = options.variables ?? ['mu', 'tau', 'theta[1]', 'theta[2]'];
    this.iterations = Array.from({ length: options.numChains ?? 4 }, () => 0);
    if (this.status === 'FIN') this.finish();
  }

  /** Every chain, or one (from 1), does `count` more iterations. */
  advance(count: number, chain?: number): void {
    const end = this.settings.num_warmup + this.settings.num_samples;
    for (const [index, done] of this.iterations.entries()) {
      if (chain === undefined || chain === index + 1) {
        this.iterations[index] = Math.min(end, done + count);
      }
    }
    this.revision += 1;
  }

  finish(): void {
    this.advance(Number.MAX_SAFE_INTEGER);
    this.status = 'FIN';
  }

  /** The chains keep their draws. */
  stop(): void {
    this.status = 'FIN';
    this.action = 'stopped';
  }

  /** Every chain saves `draws` more draws and keeps those it has. */
  extend(draws: number): void {
    this.settings.num_samples += draws * this.settings.thin;
    this.columns.clear();
    this.status = 'RUN';
    this.action = 'running';
  }

  get chainNames(): string[] {
    return this.iterations.map((_, index) => `chain#${index + 1}`);
  }

  get columnNames(): readonly string[] {
    const sampler = this.options.withoutSampler
      ? []
      : ['stepsize__', 'treedepth__', 'divergent__', 'energy__'];
    return [...this.variables, 'lp__', ...sampler];
  }

  /** Saved draws so far. */
  draws(variable: string, chain: number, phase: Phase): Float64Array {
    if (!this.columnNames.includes(variable)) return new Float64Array(0);
    if (phase === 'warmup' && this.status === 'FIN') return new Float64Array(0);
    const { num_warmup, num_samples, thin } = this.settings;
    const done = this.iterations[chain - 1];
    const ofPhase =
      phase === 'warmup' ? Math.min(done, num_warmup) : Math.max(0, done - num_warmup);
    const length = phase === 'warmup' ? num_warmup : num_samples;
    return this.wholeColumn(variable, chain, { phase, length: Math.ceil(length / thin) }).subarray(
      0,
      Math.ceil(ofPhase / thin),
    );
  }

  private wholeColumn(
    variable: string,
    chain: number,
    { phase, length }: { phase: Phase; length: number },
  ): Float64Array {
    const key = `${phase} ${chain} ${variable}`;
    const known = this.columns.get(key);
    if (known !== undefined) return known;
    const letters = Array.from(key, (letter) => letter.charCodeAt(0));
    const rng = seededRng(letters.reduce((sum, code) => (31 * sum + code) % 1e9, 7));
    const shift = this.options.shifts?.[chain] ?? 0;
    const values = Float64Array.from({ length }, () => rng.normal() + shift);
    if (variable === 'stepsize__') values.fill(0.5);
    if (variable === 'treedepth__') values.fill(3);
    if (variable === 'divergent__') {
      values.fill(0);
      for (const [of, iteration] of this.options.divergent ?? []) {
        if (of === chain && phase === 'sampling') values[iteration - 1] = 1;
      }
    }
    this.columns.set(key, values);
    return values;
  }

  /** Smallest number of saved draws over chains. */
  get numSamples(): number {
    return Math.min(...this.iterations.map((_, i) => this.draws('lp__', i + 1, 'sampling').length));
  }

  /** As its owner sees it; `plain` omits what only our server reports. */
  experiment({ plain = false } = {}): Experiment {
    const isComplete = this.status === 'FIN' && this.action !== 'stopped';
    const end = this.settings.num_warmup + this.settings.num_samples;
    const chains = this.iterations.map(
      (iteration, index): ChainProgress => ({
        name: `chain#${index + 1}`,
        phase: this.phaseOf(iteration, end),
        iteration,
        of: end,
        draws_per_second: 50,
        draws: this.draws('lp__', index + 1, 'sampling').length,
        divergences: 0,
      }),
    );
    const sum = this.iterations.reduce((total, iteration) => total + iteration, 0);
    const progress = { done: sum, total: end * chains.length, chains };
    return createFakeExperiment({
      short_id: this.id,
      name: this.options.name ?? 'Eight schools',
      status: this.status,
      n_chains: chains.length,
      n_samples: this.numSamples,
      n_variables: this.variables.length,
      workflow_id: 'F0000001',
      meta: plain
        ? {}
        : {
            action: this.action,
            settings: { ...this.settings },
            ...(isComplete ? {} : { progress }),
            ...(this.status === 'ERR' ? { finished_at: '2026-09-01T10:00:00.000Z' } : {}),
            ...(this.leftOut.length === 0 ? {} : { chains_left_out: [...this.leftOut] }),
            ...(this.options.runtime === undefined ? {} : { runtime: this.options.runtime }),
          },
    });
  }

  private phaseOf(iteration: number, end: number): ChainProgress['phase'] {
    if (iteration === 0) return 'waiting';
    if (iteration >= end) return 'done';
    return iteration < this.settings.num_warmup ? 'warmup' : 'sampling';
  }

  /** One answer of the draws endpoint. */
  drawsAnswer(query: {
    variables: readonly string[];
    chains: readonly string[];
    phase: Phase;
    from: number;
  }): { header: { columns: EncodedColumn[]; revision: string }; values: Float64Array } {
    const columns: EncodedColumn[] = [];
    const parts: Float64Array[] = [];
    let offset = 0;
    for (const [index, chain] of this.chainNames.entries()) {
      if (query.chains.length > 0 && !query.chains.includes(chain)) continue;
      for (const variable of query.variables) {
        const first = Math.max(1, query.from);
        const values = this.draws(variable, index + 1, query.phase).slice(first - 1);
        if (values.length === 0) continue;
        const place = { first_iteration: first, step: 1, count: values.length, offset };
        columns.push({ chain, variable, phase: query.phase, ...place });
        parts.push(values);
        offset += values.length;
      }
    }
    const values = Float64Array.from(parts.flatMap((part) => [...part]));
    return { header: { columns, revision: String(this.revision) }, values };
  }

  summary(): Summary {
    const ofAll = (variable: string) =>
      this.iterations.map((_, index) => this.draws(variable, index + 1, 'sampling'));
    const judged = this.columnNames.filter((name) => !isSamplerColumn(name));
    const isKept = (_: unknown, index: number) => !this.leftOut.includes(`chain#${index + 1}`);
    const rows = summarise(
      judged.map((variable) => ({ variable, chains: ofAll(variable).filter(isKept) })),
    );
    const divergent = ofAll('divergent__').map((chain) => chain.reduce((a, b) => a + b, 0));
    const energies = ofAll('energy__').map(ebfmi);
    const { withoutSampler = false } = this.options;
    const verdict = judge({
      rows,
      leftOut: this.leftOut,
      isHamiltonian: true,
      chains: this.chainNames.map((name, index) => ({
        name,
        numDraws: this.draws('lp__', index + 1, 'sampling').length,
        divergences: withoutSampler ? null : divergent[index],
        treedepthHits: withoutSampler ? null : 0,
        ebfmi: withoutSampler ? null : energies[index],
      })),
    });
    const wire = JSON.parse(JSON.stringify(rows)) as Summary['variables'];
    return {
      revision: String(this.revision),
      n_chains: verdict.chains.length,
      n_samples: verdict.draws,
      variables: wire,
      verdict: JSON.parse(JSON.stringify(verdict)) as Summary['verdict'],
      chains: this.chainNames.map((name, index) => ({
        name,
        n_samples: this.draws('lp__', index + 1, 'sampling').length,
        divergences: divergent[index],
        treedepth_hits: 0,
        ebfmi: Number.isFinite(energies[index]) ? energies[index] : null,
        step_size: 0.5,
        warmup_seconds: 1,
        sampling_seconds: 1,
        profiles: this.options.profiles,
      })),
    };
  }

  /** The long CSV of the sampling phase. */
  csv(): string {
    return this.chainNames
      .flatMap((chain, index) =>
        this.columnNames.map((variable) =>
          longCsvRows(chain, variable, this.draws(variable, index + 1, 'sampling')),
        ),
      )
      .join('');
  }
}
