/** Reference posteriors: their programs, data and statistics, and the rule for whether a run matches them. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';
import type { DataJson } from '../../src/language/program.ts';
import { essMean } from '../../src/posterior/ess.ts';
import { rhatRank } from '../../src/posterior/rhat.ts';

export interface ReferenceKey {
  readonly num_draws: number;
  readonly mean: number;
  readonly sd: number;
  readonly mean_square: number;
  readonly sd_square: number;
  readonly q5: number;
  readonly q50: number;
  readonly q95: number;
}

export interface ReferencePosterior {
  readonly model: string;
  readonly data: string;
  readonly adapt_delta: number;
  readonly max_treedepth: number;
  /** By flat name; null if there are no reference draws. */
  readonly keys: Readonly<Record<string, ReferenceKey>> | null;
}

const fixtures = new URL('../fixtures/posteriordb/', import.meta.url);
const programs = new URL('../engine/posteriordb/', import.meta.url);

export const referencePosteriors = JSON.parse(
  readFileSync(new URL('reference.json', fixtures), 'utf8'),
) as Readonly<Record<string, ReferencePosterior>>;

export function readProgram(model: string): string {
  return readFileSync(new URL(`${model}.stan`, programs), 'utf8');
}

/** From the fixtures or, for the large sets, from a folder in posteriordb's layout; null if there is neither. */
export function readData(name: string, folder?: string): DataJson | null {
  const paths = [
    fileURLToPath(new URL(`data/${name}.json.zip`, fixtures)),
    ...(folder === undefined ? [] : [`${folder}/data/${name}.json.zip`]),
  ];
  const path = paths.find(existsSync);
  if (path === undefined) return null;
  const [content] = Object.values(unzipSync(readFileSync(path)));
  return JSON.parse(strFromU8(content)) as DataJson;
}

/**
 * Half-widths of the starting points if Stan's 2 is too wide for a warmup of 1000 (the reference runs had ten times
 * as many): an ARMA process explodes for |theta| > 1, a predator-prey system for rates of several per year.
 */
export const initRadii: Readonly<Record<string, number>> = { arma11: 0.5, lotka_volterra: 0.5 };

/** How far one key of a run is from its reference. */
export interface KeyMatch {
  readonly key: string;
  /** Distances in standard errors of both sides together. */
  readonly zMean: number;
  readonly zSquare: number;
  /** The largest of the distances of P(x ≤ reference quantile) from 5, 50 and 95 per cent. */
  readonly zQuantile: number;
  readonly rhat: number;
  readonly ess: number;
}

const matchLimits = { z: 4.5, rhat: 1.02 };

/** Posteriors whose tails are too heavy for moments; they are judged by quantiles. */
const heavyTailed = new Set(['one_comp_mm_elim_abs']);

export function matchKey(
  key: string,
  chains: readonly Float64Array[],
  reference: ReferenceKey,
): KeyMatch {
  const { num_draws, mean, sd, mean_square, sd_square, q5, q50, q95 } = reference;
  const z = (values: readonly Float64Array[], expected: number, referenceSd: number) => {
    const own = moments(values);
    const ess = essMean(values);
    const error = Math.sqrt(own.variance / ess + referenceSd ** 2 / num_draws);
    return Math.abs(own.mean - expected) / error;
  };
  const square = chains.map((chain) => chain.map((x) => x * x));
  const zQuantile = Math.max(
    ...(
      [
        [0.05, q5],
        [0.5, q50],
        [0.95, q95],
      ] as const
    ).map(([p, quantile]) =>
      z(
        chains.map((chain) => chain.map((x) => (x <= quantile ? 1 : 0))),
        p,
        Math.sqrt(p * (1 - p)),
      ),
    ),
  );
  return {
    key,
    zMean: z(chains, mean, sd),
    zSquare: z(square, mean_square, sd_square),
    zQuantile,
    rhat: rhatRank(chains),
    ess: essMean(chains),
  };
}

export function isMatch(model: string, match: KeyMatch): boolean {
  const { zMean, zSquare, zQuantile, rhat } = match;
  const z = heavyTailed.has(model) ? zQuantile : Math.max(zMean, zSquare);
  return z < matchLimits.z && rhat < matchLimits.rhat;
}

function moments(chains: readonly Float64Array[]): { mean: number; variance: number } {
  let count = 0;
  let sum = 0;
  for (const chain of chains)
    for (const x of chain) {
      sum += x;
      count += 1;
    }
  const mean = sum / count;
  let squares = 0;
  for (const chain of chains) for (const x of chain) squares += (x - mean) ** 2;
  return { mean, variance: squares / (count - 1) };
}
