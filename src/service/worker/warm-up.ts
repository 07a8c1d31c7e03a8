/**
 * The first run of a process takes several times as long as the next: threads start, and V8 compiles the sampler and
 * the statistics. An idle worker has this done in advance, by a small program whose draws nobody sees.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { runChains } from '../../engine/run.ts';
import { defaultSettings } from '../../engine/settings.ts';
import { headStartMs, keptThreads } from '../../engine/workers/node-threads.ts';
import type { DataJson } from '../../language/program.ts';
import { isSamplerColumn } from '../../posterior/draws.ts';
import { openSummaryDesk } from '../results/summary-threads.ts';

export interface WarmUp {
  /** Chains that the worker runs simultaneously. */
  readonly slots: number;
  /** As for the chains of runs, which otherwise could not take the threads. */
  readonly workerUrl: URL | undefined;
  readonly heapMiB: number | undefined;
  readonly signal: AbortSignal;
}

interface SmallProgram {
  readonly source: string;
  readonly data: DataJson;
}

const rows = Array.from({ length: 12 }, (_, n) => n);

/** A regression with groups: the statements, constraints and densities that most programs have. */
const regression: SmallProgram = {
  source: `data { int<lower=1> N; vector[N] x; vector[N] y; array[N] int<lower=1, upper=3> group; }
parameters { real mu; real<lower=0> tau; vector[3] z; real slope; real<lower=0> sigma; }
transformed parameters { vector[3] intercept = mu + tau * z; }
model {
  mu ~ normal(0, 5);
  tau ~ normal(0, 2);
  z ~ std_normal();
  slope ~ normal(0, 2);
  sigma ~ exponential(1);
  for (n in 1:N) y[n] ~ normal(intercept[group[n]] + slope * x[n], sigma);
}
generated quantities { vector[N] fitted = intercept[group] + slope * x; }
`,
  data: {
    N: rows.length,
    x: rows.map((n) => n / 6 - 1),
    y: rows.map((n) => (n % 3) + n / 3 + Math.sin(n)),
    group: rows.map((n) => 1 + (n % 3)),
  },
};

/**
 * A second program: V8 writes a call that has had one target into its caller, and compiles the caller again when a
 * second one comes.
 */
const counts: SmallProgram = {
  source: `data { int<lower=1> N; vector[N] x; array[N] int<lower=0> y; }
parameters { real a; real b; }
model {
  a ~ normal(0, 2);
  b ~ normal(0, 1);
  y ~ poisson_log(a + b * x);
}
`,
  data: {
    N: rows.length,
    x: rows.map((n) => n / 6 - 1),
    y: rows.map((n) => 1 + (n % 4)),
  },
};

/** One after another: V8 compiles the sampler again for what differs between chains. The next run takes a fifth less time than after one. */
const chainsAThread = 4;

/** Two runs in each thread that will wait for others, and their summaries. */
export async function warmUp(options: WarmUp): Promise<void> {
  const { signal } = options;
  await runOnce(regression, options);
  // in the same threads
  await sleep(2 * headStartMs, undefined, { signal }).catch(() => {});
  if (!signal.aborted) await runOnce(counts, options);
}

async function runOnce(
  { source, data }: SmallProgram,
  { slots, workerUrl, heapMiB, signal }: WarmUp,
): Promise<void> {
  const threads = Math.min(slots, keptThreads);
  const numChains = chainsAThread * threads;
  const settings = { ...defaultSettings, seed: 1, numChains };
  const { columns, chains } = await runChains({
    source,
    data,
    settings,
    parallel: threads,
    limits: { heapMiB },
    workerUrl,
    signal,
  });
  if (signal.aborted) return;
  const variables = columns.filter((column) => !isSamplerColumn(column));
  const desk = openSummaryDesk(numChains * settings.numSamples, variables.length);
  await desk.summarise(
    variables.map((variable) => ({
      variable,
      chains: chains.flatMap(({ sampling }) => sampling[columns.indexOf(variable)] ?? []),
    })),
  );
  await desk.end();
}
