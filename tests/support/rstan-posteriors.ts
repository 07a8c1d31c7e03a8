/** Posteriors without published draws: programs, data, the results of rstan 2.21, and how far our run is from them. */
import { existsSync, readFileSync } from 'node:fs';
import { gallery } from '../../src/gallery/gallery.ts';
import type { DataJson, OutputVariable } from '../../src/language/program.ts';
import { essMean } from '../../src/posterior/ess.ts';
import { rhatRank } from '../../src/posterior/rhat.ts';
import { engineCases } from '../bench/engine/cases.ts';
import { parameterColumns } from './parameter-columns.ts';
import { readData } from './posteriordb.ts';

export interface RstanPosterior {
  readonly name: string;
  readonly source: string;
  readonly data: DataJson;
  readonly adaptDelta: number;
  readonly initRadius: number;
}

/** Mean and E (x − mean)², each with its standard error, of rstan's draws. */
export type RstanSummary = readonly [
  mean: number,
  meanError: number,
  variance: number,
  varianceError: number,
];

export interface RstanReference {
  /** For all values that are compared. */
  readonly rhat: number;
  readonly divergences: number;
  readonly values: Readonly<Record<string, RstanSummary>>;
}

const programs = new URL('../engine/rstan-posteriors/', import.meta.url);
export const referenceFile = new URL('../fixtures/rstan/posteriors.json', import.meta.url);

/** From the gallery: all except those whose draws posteriordb publishes, and the funnel, which neither samples well. */
const ofGallery = [
  'bioassay',
  'cheese',
  'coal-mines',
  'doctors',
  'kid-scores',
  'mesquite',
  'mixture',
  'nile',
  'o-rings',
  'pumps',
  'rats',
];
/** Programs of `tests/engine/rstan-posteriors`; a posteriordb name says whose data they use. */
const written: Readonly<Record<string, string | null>> = {
  bushes: 'mesquite',
  dugongs: null,
  hair_and_eyes: null,
  influenza: null,
  remission: null,
  salmonella: null,
  scores_robust: 'kidiq',
  seeds: null,
  surgical: null,
  volatility: 'garch',
};
/** With generated data, from the bench "engine". */
const ofBench = ['hierarchical_logit', 'random_walk', 'gp_of_100', 'item_response'];

const adaptDeltas: Readonly<Record<string, number>> = { seeds: 0.95, volatility: 0.95, pumps: 0.9 };
const initRadii: Readonly<Record<string, number>> = { mixture: 0.5, influenza: 0.5 };

function fromGallery(slug: string): Pick<RstanPosterior, 'source' | 'data'> {
  const found = gallery.find((model) => model.slug === slug);
  if (found === undefined) throw new Error(`the gallery has no ${slug}`);
  const data = JSON.parse(found.data.json) as DataJson;
  return { source: found.files[found.entranceFile], data };
}

function fromFolder(name: string): Pick<RstanPosterior, 'source' | 'data'> {
  const source = readFileSync(new URL(`${name}.stan`, programs), 'utf8');
  const shared = written[name];
  const data =
    shared === null
      ? (JSON.parse(readFileSync(new URL(`${name}.json`, programs), 'utf8')) as DataJson)
      : readData(shared);
  if (data === null) throw new Error(`no data for ${name}`);
  return { source, data };
}

function fromBench(name: string): Pick<RstanPosterior, 'source' | 'data'> {
  const found = engineCases.find(([own]) => own === name)?.[1]();
  if (!found) throw new Error(`the bench "engine" has no ${name}`);
  return found;
}

export const rstanPosteriorNames: readonly string[] = [
  ...ofGallery,
  ...Object.keys(written),
  ...ofBench,
];

export function loadRstanPosterior(name: string): RstanPosterior {
  const load = ofGallery.includes(name) ? fromGallery : name in written ? fromFolder : fromBench;
  const { source, data } = load(name);
  return {
    name,
    source,
    data,
    adaptDelta: adaptDeltas[name] ?? 0.8,
    initRadius: initRadii[name] ?? 2,
  };
}

export function rstanReferences(): Readonly<Record<string, RstanReference>> {
  if (!existsSync(referenceFile)) return {};
  return JSON.parse(readFileSync(referenceFile, 'utf8')) as Record<string, RstanReference>;
}

const mostOfOne = 12;

/** Columns that are compared: up to twelve of each parameter, evenly spaced. */
export function comparedColumns(
  variables: readonly OutputVariable[],
  columns: readonly string[],
): string[] {
  const byName = new Map<string, string[]>();
  for (const column of parameterColumns(variables, columns)) {
    const name = column.replace(/\[.*/, '');
    byName.set(name, [...(byName.get(name) ?? []), column]);
  }
  return [...byName.values()].flatMap((own) =>
    own.length <= mostOfOne
      ? own
      : Array.from({ length: mostOfOne }, (_, i) => own[Math.floor((i * own.length) / mostOfOne)]),
  );
}

/** Mean and standard error of f(x). */
function averageOf(chains: readonly Float64Array[], f: (x: number) => number): [number, number] {
  const values = chains.map((chain) => chain.map(f));
  const all = values.flatMap((chain) => [...chain]);
  const mean = all.reduce((sum, x) => sum + x, 0) / all.length;
  const variance = all.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (all.length - 1);
  // a value that never changes, such as the corner of a Cholesky factor, has no error
  return [mean, variance === 0 ? 0 : Math.sqrt(variance / essMean(values))];
}

export function summaryOf(chains: readonly Float64Array[], centre?: number): RstanSummary {
  const [mean, meanError] = averageOf(chains, (x) => x);
  return [mean, meanError, ...averageOf(chains, (x) => (x - (centre ?? mean)) ** 2)];
}

export interface RstanMatch {
  readonly key: string;
  /** Distances of the mean and of the spread around rstan's mean, in standard errors of both sides. */
  readonly zMean: number;
  readonly zSpread: number;
  readonly rhat: number;
}

const distance = (a: number, aError: number, b: number, bError: number): number =>
  a === b ? 0 : Math.abs(a - b) / Math.hypot(aError, bError);

export function matchRstan(
  key: string,
  chains: readonly Float64Array[],
  reference: RstanSummary,
): RstanMatch {
  const [mean, meanError, spread, spreadError] = summaryOf(chains, reference[0]);
  return {
    key,
    zMean: distance(mean, meanError, reference[0], reference[1]),
    zSpread: distance(spread, spreadError, reference[2], reference[3]),
    rhat: meanError === 0 ? 1 : rhatRank(chains),
  };
}

/** As for published draws: 4.5 standard errors, and chains that agree. */
export const agrees = ({ zMean, zSpread, rhat }: RstanMatch): boolean =>
  zMean < 4.5 && zSpread < 4.5 && rhat < 1.02;
