/** Saves an experiment's draws as files in CmdStan's layout, one per chain, for CmdStanPy and CmdStanR. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from '../client/create-client.ts';
import { decodeDraws, type EncodedColumn, type Summary } from '../contract/draws.ts';
import type { Experiment } from '../contract/experiment.ts';
import { parseSettings } from '../engine/settings.ts';
import {
  stanCsvAdaptation,
  stanCsvColumns,
  stanCsvHead,
  stanCsvRow,
  stanCsvTimes,
} from '../formats/stan-csv.ts';
import { cmdStanOrder } from '../formats/tuple-order.ts';
import { methodLines } from '../service/results/method-lines.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';

/** Values per request. */
const VALUES_AT_ONCE = 2 ** 20;

export interface ChainsRequest {
  readonly client: Client;
  readonly experiment: Experiment;
  /** First iterations of each chain; 0: all. */
  readonly first: number;
  /** Path of a chain's file, from its number. */
  readonly pathOf: (chain: number) => string;
}

/** Writes the files and returns their paths. Throws `StartError` when there are no draws. */
export async function writeChains(request: ChainsRequest): Promise<string[]> {
  const { client, experiment, pathOf } = request;
  const objid = experiment.short_id;
  const summary = await client.viewSummary({ params: { objid } });
  const paths: string[] = [];
  for (const [index, chain] of summary.chains.entries()) {
    if ((chain.n_samples ?? 0) === 0) continue;
    const path = pathOf(index + 1);
    const text = Readable.from(chainText(request, { chain, number: index + 1 }));
    await pipeline(text, createWriteStream(path, { flags: 'wx' }));
    paths.push(path);
    if (isLeftOut(experiment, chain.name))
      say(
        `${chain.name} was left out of the run: its file is marked with \`# left_out = yes\`, which only Ergodic reads.`,
      );
  }
  if (paths.length === 0) throw new StartError(`${objid} has no draws.`);
  return paths;
}

const isLeftOut = ({ meta }: Experiment, chain: string): boolean =>
  meta?.chains_left_out?.includes(chain) === true;

interface OneChain {
  readonly chain: Summary['chains'][number];
  readonly number: number;
}

async function* chainText(request: ChainsRequest, one: OneChain): AsyncGenerator<string> {
  const { experiment, first } = request;
  const { chain, number } = one;
  const settings = experiment.meta?.settings ?? {};
  const at = (key: string, otherwise: number) =>
    typeof settings[key] === 'number' ? settings[key] : otherwise;
  const total = first > 0 ? Math.min(first, chain.n_samples ?? 0) : (chain.n_samples ?? 0);
  const names = await columnsOf(request, chain.name);
  const usesHmc = names.includes('stepsize__');
  const thin = at('thin', 1);
  yield stanCsvHead({
    model: experiment.model_name || experiment.name,
    chainId: number,
    numSamples: total * thin,
    numWarmup: at('num_warmup', 1000),
    // warmup draws are not in the file
    saveWarmup: false,
    thin,
    seed: at('seed', 0),
    initRadius: at('init_radius', 2),
    adaptDelta: at('adapt_delta', 0.8),
    maxTreeDepth: at('max_treedepth', 10),
    // the service does not store the metric
    metric: 'unit',
    usesHmc,
    method: methodOfRun(settings),
    writer: 'Ergodic',
    leftOut: isLeftOut(experiment, chain.name),
  });
  yield stanCsvColumns(names);
  if (settings.algorithm === 'advi') yield await meanRow(request, chain.name, names);
  if (usesHmc)
    yield stanCsvAdaptation({
      stepSize: chain.step_size ?? Number.NaN,
      metric: 'unit',
      inverseMetric: [],
    });
  const most = Math.max(1, Math.floor(VALUES_AT_ONCE / names.length));
  for (let from = 1; from <= total; from += most) {
    const to = Math.min(total, from + most - 1);
    yield await rowsOf(request, { chain: chain.name, order: names, from, to });
  }
  yield stanCsvTimes(chain.warmup_seconds ?? 0, chain.sampling_seconds ?? 0);
}

/** Undefined: the method is `sample`, or the run came from another program. */
function methodOfRun(settings: Readonly<Record<string, unknown>>): string[] | undefined {
  const read = parseSettings(settings);
  return read.ok ? methodLines(read.settings) : undefined;
}

/** The mean of the approximation, which CmdStan writes before the draws; empty if it was not stored. */
async function meanRow(
  { client, experiment }: ChainsRequest,
  chain: string,
  names: readonly string[],
): Promise<string> {
  const piece = { chain, from: 1, to: 1, phase: 'warmup' } as const;
  const columns = await read(client, experiment.short_id, piece);
  return columns.size === 0 ? '' : stanCsvRow(names.map((name) => columns.get(name)?.[0] ?? NaN));
}

/** CmdStan's order: lp__, the sampler's columns, the program's variables. */
async function columnsOf({ client, experiment }: ChainsRequest, chain: string): Promise<string[]> {
  const columns = await read(client, experiment.short_id, { chain, from: 1, to: 1 });
  const given = [...columns.keys()];
  const own = given.filter((name) => name.endsWith('__') && name !== 'lp__');
  const plain = given.filter((name) => !name.endsWith('__'));
  const variables = cmdStanOrder(plain).map((place) => plain[place]);
  // other methods store theirs in CmdStan's order
  if (methodOfRun(experiment.meta?.settings ?? {}) !== undefined && !given.includes('stepsize__'))
    return given;
  return [...given.filter((name) => name === 'lp__'), ...inCmdStanOrder(own), ...variables];
}

const samplerOrder = 'accept_stat__ stepsize__ treedepth__ n_leapfrog__ divergent__ energy__'.split(
  ' ',
);

function inCmdStanOrder(names: readonly string[]): string[] {
  const placeOf = (name: string) => {
    const place = samplerOrder.indexOf(name);
    return place === -1 ? samplerOrder.length : place;
  };
  return names.toSorted((a, b) => placeOf(a) - placeOf(b));
}

interface Piece {
  readonly chain: string;
  readonly from: number;
  readonly to: number;
}

async function rowsOf(
  { client, experiment }: ChainsRequest,
  { order, ...piece }: Piece & { readonly order: readonly string[] },
): Promise<string> {
  const columns = await read(client, experiment.short_id, piece);
  let text = '';
  for (let i = 0; i <= piece.to - piece.from; i++)
    text += stanCsvRow(order.map((name) => columns.get(name)?.[i] ?? Number.NaN));
  return text;
}

/** Values by variable, from the piece's first iteration on; NaN for a variable that has none there. */
async function read(
  client: Client,
  objid: string,
  { chain, from, to, phase = 'sampling' }: Piece & { readonly phase?: 'warmup' | 'sampling' },
): Promise<Map<string, Float64Array>> {
  const query = { chain: [chain], from, to, phase };
  const { header, values } = decodeDraws(await client.viewDraws({ params: { objid }, query }));
  const columns = new Map<string, Float64Array>();
  const into = (name: string) => {
    const known = columns.get(name) ?? new Float64Array(to - from + 1).fill(Number.NaN);
    columns.set(name, known);
    return known;
  };
  for (const column of header.columns) place(into(column.variable), column, { values, from });
  return columns;
}

function place(
  target: Float64Array,
  { first_iteration: first, count, offset }: EncodedColumn,
  { values, from }: { readonly values: Float64Array; readonly from: number },
): void {
  target.set(values.subarray(offset, offset + count), first - from);
}
