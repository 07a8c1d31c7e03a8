/** `ergodic run model.jags`: chains of a JAGS model, sampled by R and rjags on this machine. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { drawSeed } from '../engine/chain-settings.ts';
import { nothingTallied } from '../engine/checkpoint.ts';
import type { ChainProgress } from '../engine/events.ts';
import type { ChainRun, RunResult } from '../engine/run.ts';
import { runtimeOfFile } from '../formats/entrance-file.ts';
import { type JagsSettings, readJagsSettings } from '../formats/jags-settings.ts';
import { jagsDriver, jagsFiles } from '../service/language-runtimes/jags-files.ts';
import { err, ok, type Result } from '../shared/result.ts';
import type { RunInputs } from './run-inputs.ts';

export const isJagsModel = (path: string): boolean => runtimeOfFile(path) === 'jags';

export interface JagsRun {
  readonly inputs: RunInputs;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ChainProgress) => void;
  readonly say: (line: string) => void;
}

/** A failed chain has its message in the outcome. */
export async function runJags({ inputs, signal, onProgress, say }: JagsRun): Promise<RunResult> {
  const { settings, jags } = inputs;
  const seed = settings.seed ?? drawSeed();
  const read = readJagsSettings(
    {
      ...jags,
      seed,
      num_chains: settings.numChains,
      num_warmup: settings.numWarmup,
      num_samples: settings.numSamples,
      thin: settings.thin,
      parallel_chains: settings.parallelChains,
      inits: settings.inits,
    },
    availableParallelism(),
  );
  if (!read.ok) return failedRun(seed, read.error);
  const files = jagsFiles(resolve(inputs.modelPath), inputs.data, read.value);
  if (!files.ok) return failedRun(seed, files.error);
  for (const note of files.value.notes) say(note);
  const folder = mkdtempSync(join(tmpdir(), 'ergodic-jags-'));
  try {
    for (const [name, text] of files.value.files) writeFileSync(join(folder, name), text);
    const of = iterationsOf(read.value);
    const end = await drive(folder, {
      signal,
      say,
      onProgress: (chain, phase, iteration) =>
        onProgress(jagsProgress(chain, phase, { iteration, of })),
    });
    return { seed, ...gather(folder, read.value, end) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Driven {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly onProgress: (chain: number, phase: string, done: number) => void;
}

/** The error is what went wrong. */
function drive(folder: string, { signal, say, onProgress }: Driven): Promise<Result<null, string>> {
  const args = ['--vanilla', join(folder, jagsDriver), folder];
  const { EXPERIMENT_ID: _, ...env } = process.env;
  // a separate process group: chains are separate processes, and we handle Ctrl-C ourselves
  const child = spawn('Rscript', args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', stop, { once: true });
  let last = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (last !== '') say(last);
    last = line.trim();
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, chain, phase = '', done] = /^progress (\d+) (\w+) (\d+)/.exec(line) ?? [];
    if (chain !== undefined) onProgress(Number(chain), phase, Number(done));
  });
  return new Promise((settle) => {
    child.on('error', () =>
      settle(err('R is not installed (Debian: apt install r-cran-rjags jags).')),
    );
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (code === 0 && last !== '') say(last);
      settle(code === 0 || signal.aborted ? ok(null) : err(last || `R ended with code ${code}.`));
    });
  });
}

/** Iterations of a chain over all phases. */
const iterationsOf = ({ adapt, warmup, samples }: JagsSettings) => adapt + warmup + samples;

const jagsProgress = (
  chain: number,
  phase: string,
  iterations: { readonly iteration: number; readonly of: number },
): ChainProgress => ({
  chain,
  phase: phase === 'warmup' ? 'warmup' : 'sampling',
  ...iterations,
  stepSize: Number.NaN,
  ...nothingTallied,
});

function failedRun(seed: number, message: string): RunResult {
  return { seed, columns: [], variables: [], chains: [chainRun(1, [], err(message), false)] };
}

function gather(
  folder: string,
  { chains, samples, thin }: JagsSettings,
  end: Result<null, string>,
): Pick<RunResult, 'columns' | 'variables' | 'chains'> {
  const tables = Array.from({ length: chains }, (_, i) =>
    readChain(join(folder, `chain_${i + 1}.csv`)),
  );
  const started = tables.find(({ columns }) => columns.length > 0);
  return {
    columns: started?.columns ?? [],
    variables: [],
    chains: tables.map(({ draws }, i) =>
      chainRun(i + 1, draws, end, (draws[0]?.length ?? 0) === samples / thin),
    ),
  };
}

function chainRun(
  chain: number,
  sampling: readonly Float64Array[],
  end: Result<null, string>,
  isWhole: boolean,
): ChainRun {
  const outcome: ChainRun['outcome'] = isWhole
    ? { status: 'complete' }
    : end.ok
      ? { status: 'stopped' }
      : { status: 'failed', failure: { chain, reason: 'program-invalid', message: end.error } };
  return { chain, outcome, warmup: [], sampling, progress: null, adaptation: null };
}

/** One array of draws per column; a line left incomplete when the chain ended is left out. */
function readChain(path: string): { columns: readonly string[]; draws: Float64Array[] } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { columns: [], draws: [] };
  }
  const lines = text.split('\n').slice(0, -1);
  const columns = [...(lines[0] ?? '').matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);
  const rows = lines.slice(1).map((line) => line.split(','));
  const draws = columns.map((_, c) => Float64Array.from(rows, (row) => numberOf(row[c])));
  return { columns, draws };
}

/** As R writes numbers. */
function numberOf(text = ''): number {
  if (text === 'Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
