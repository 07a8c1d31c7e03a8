/**
 * One run of the engine in a separate process, so that its processor time and memory are those of the run alone:
 * `node measure.mjs REQUEST.json`, bundled by the bench. Writes the draws as doubles, and prints the rest.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { compileModel } from '../../../src/engine/compile-model.ts';
import { openStream } from '../../../src/engine/random-streams.ts';
import { runChains } from '../../../src/engine/run.ts';
import type { Settings } from '../../../src/engine/settings-table.ts';
import type { DataJson } from '../../../src/language/program.ts';
import { summarise } from '../../../src/posterior/summary.ts';
import { warmUp } from '../../../src/service/worker/warm-up.ts';
import { parameterColumns } from '../../support/parameter-columns.ts';

export interface MeasureRequest {
  readonly source: string;
  readonly data: DataJson;
  readonly settings: Settings;
  /** Whether the process has prepared for it as an idle worker of the service does: a thread is waiting. */
  readonly isWarm: boolean;
}

export interface Measured {
  /** Around all chains: threads, compilation, V8's compilation and garbage collection. */
  readonly totalSeconds: number;
  /** From when each chain is ready until it ends. */
  readonly chainSeconds: number;
  readonly summarySeconds: number;
  readonly leapfrogs: number;
  readonly divergences: number;
  readonly peakBytes: number;
  /** For each parameter, one list per chain. */
  readonly draws: readonly (readonly Float64Array[])[];
}

/** What the process prints. */
export interface MeasureReport extends Omit<Measured, 'draws'> {
  readonly parameters: readonly string[];
  /** From the start of the process, or of the run if it is warm, until the summary is ready. */
  readonly textToSummarySeconds: number;
  /** Of a first compilation, with nothing warm. */
  readonly compileSeconds: number;
  readonly sizeRatio: number;
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Longer than a thread is reserved for the chains of its own run. */
const waitMs = 600;

async function measure(request: MeasureRequest, workerUrl: URL, drawsFile: string) {
  const { source, data, settings } = request;
  if (request.isWarm) {
    await warmUp({ slots: 1, workerUrl, heapMiB: undefined, signal: new AbortController().signal });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  const began = request.isWarm ? cpu() : 0;
  let [chainSeconds, ready] = [0, 0];
  const before = cpu();
  const result = await runChains({
    source,
    data,
    settings,
    workerUrl,
    parallel: 1,
    onEvent(_chain, { type }) {
      if (type === 'started') ready = cpu();
      if (type === 'finished') chainSeconds += cpu() - ready;
    },
  });
  const sampled = cpu();
  const failed = result.chains.find(({ outcome }) => outcome.status !== 'complete');
  if (failed !== undefined) throw new Error(JSON.stringify(failed.outcome));
  const drawsOf = (column: string) =>
    result.chains.map(({ sampling }) => sampling[result.columns.indexOf(column)]);
  summarise(result.columns.map((variable) => ({ variable, chains: drawsOf(variable) })));
  const summarised = cpu();
  const peakBytes = 1024 * process.resourceUsage().maxRSS;

  const compileFrom = cpu();
  const rng = openStream(1, 0, 'transformed-data');
  const compiled = compileModel({ source, data, rng });
  const compileSeconds = cpu() - compileFrom;
  if (!compiled.ok) throw new Error(compiled.message);

  const parameters = parameterColumns(result.variables, result.columns);
  const draws = parameters.flatMap(drawsOf);
  writeFileSync(drawsFile, Buffer.concat(draws.map((chain) => Buffer.from(chain.buffer))));
  const total = (f: (progress: NonNullable<(typeof result.chains)[0]['progress']>) => number) =>
    result.chains.reduce((sum, { progress }) => sum + (progress === null ? 0 : f(progress)), 0);
  const report: MeasureReport = {
    totalSeconds: sampled - before,
    chainSeconds,
    summarySeconds: summarised - sampled,
    textToSummarySeconds: summarised - began,
    leapfrogs: total((progress) => progress.warmupLeapfrogs + progress.leapfrogs),
    divergences: total((progress) => progress.divergences),
    peakBytes,
    parameters,
    compileSeconds,
    sizeRatio: compiled.program.javascript.length / source.length,
  };
  console.log(JSON.stringify(report));
}

const [requestFile, workerFile, drawsFile] = process.argv.slice(2);
const request = JSON.parse(readFileSync(requestFile, 'utf8')) as MeasureRequest;
await measure(request, pathToFileURL(workerFile), drawsFile);
