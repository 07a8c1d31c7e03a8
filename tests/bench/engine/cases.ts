/** Posteriors for comparing the engine with rstan: reference posteriors, and larger ones with generated data. */
import { readFileSync } from 'node:fs';
import { defaultSettings } from '../../../src/engine/settings.ts';
import type { DataJson } from '../../../src/language/program.ts';
import {
  initRadii,
  readData,
  readProgram,
  referencePosteriors,
} from '../../support/posteriordb.ts';
import { testRng } from '../../support/stan-program.ts';
import { gradientCases } from '../gradient-cases.ts';
import { rstanProgram } from './rstan-program.ts';

export interface EngineCase {
  readonly name: string;
  readonly source: string;
  /** As rstan 2.21 reads it. */
  readonly rstanSource: string;
  readonly data: DataJson;
  readonly adaptDelta: number;
  /** As the reference draws were made: where trees are cut short, chains do not mix, and there is nothing to compare. */
  readonly maxTreeDepth: number;
  readonly initRadius: number;
}

const posteriors = [
  'eight_schools_noncentered',
  'garch11',
  'hmm_example',
  'arma11',
  'gp_pois_regr',
  'nes',
  'arK',
  'kidscore_momiq',
  'low_dim_gauss_mix',
  'hmm_drive_0',
  'blr',
  'logearn_interaction',
  'accel_gp',
  'diamonds',
  'lotka_volterra',
  'one_comp_mm_elim_abs',
];

/** Solvers have different names and arguments in rstan 2.21, so these are written out for it. */
const writtenOut = new Set(['lotka_volterra', 'one_comp_mm_elim_abs']);

function ofPosterior(model: string, folder: string | undefined): EngineCase | null {
  const found = Object.values(referencePosteriors).find((entry) => entry.model === model);
  const data = found && readData(found.data, folder);
  if (!data) return null;
  const source = readProgram(model);
  return {
    name: model,
    source,
    rstanSource: writtenOut.has(model)
      ? readFileSync(new URL(`${model}.stan`, import.meta.url), 'utf8')
      : rstanProgram(source),
    data,
    adaptDelta: found.adapt_delta,
    maxTreeDepth: found.max_treedepth,
    initRadius: initRadii[model] ?? 2,
  };
}

const expit = (x: number) => 1 / (1 + Math.exp(-x));

/** A program with 10 000 outcomes row by row, in groups that differ. */
function hierarchicalLogit(): Pick<EngineCase, 'source' | 'data'> {
  const { source, data } = gradientCases.hierarchical_logit();
  const rng = testRng(31);
  const { group, x } = data as { group: number[]; x: number[] };
  const a = Array.from({ length: 100 }, () => -0.5 + 0.8 * rng.normal());
  const y = x.map((value, n) => (rng.uniform() < expit(a[group[n] - 1] + 0.7 * value) ? 1 : 0));
  return { source, data: { ...data, y } };
}

/** A program with a thousand states, observed with noise. */
function randomWalk(): Pick<EngineCase, 'source' | 'data'> {
  const { source } = gradientCases.random_walk();
  const rng = testRng(32);
  let level = 0;
  const y = Array.from({ length: 1000 }, () => {
    level += 0.3 * rng.normal();
    return level + rng.normal();
  });
  return { source, data: { T: 1000, y } };
}

/** A Gaussian process of 100 points, observed on a smooth curve. */
function process(): Pick<EngineCase, 'source' | 'data'> {
  const { source, data } = gradientCases.gp_of_100();
  const rng = testRng(33);
  const y = (data as { x: number[] }).x.map((x) => Math.sin(x) + 0.3 * rng.normal());
  return { source, data: { ...data, y } };
}

/** Counts of 500 areas, a grid of 25 by 20, each like its neighbours. */
function areas(): Pick<EngineCase, 'source' | 'data'> {
  const rng = testRng(34);
  const [rows, columns] = [25, 20];
  const edges: [number, number][] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const place = r * columns + c + 1;
      if (c + 1 < columns) edges.push([place, place + 1]);
      if (r + 1 < rows) edges.push([place, place + columns]);
    }
  }
  const y = Array.from({ length: rows * columns }, (_, i) => {
    const slope = Math.sin((3 * i) / (rows * columns)) + 0.3 * rng.normal();
    return Math.max(0, Math.round(5 * Math.exp(0.5 * slope) + rng.normal()));
  });
  return {
    source: `data { int N; int E; array[E] int a; array[E] int b; array[N] int<lower=0> y; }
parameters { real mu; real<lower=0> tau; vector[N] phi; }
model {
  mu ~ normal(0, 3);
  tau ~ std_normal();
  target += -0.5 * dot_self(phi[a] - phi[b]);
  sum(phi) ~ normal(0, 0.001 * N);
  y ~ poisson_log(mu + tau * phi);
}`,
    data: { N: y.length, E: edges.length, a: edges.map(([a]) => a), b: edges.map(([, b]) => b), y },
  };
}

const { adaptDelta, maxTreeDepth } = defaultSettings;
const larger: Readonly<Record<string, () => Pick<EngineCase, 'source' | 'data'>>> = {
  hierarchical_logit: hierarchicalLogit,
  random_walk: randomWalk,
  gp_of_100: process,
  item_response: () => gradientCases.item_response(),
  areas,
};

/** All names, with the function that loads each case; null if its data are not here. */
export const engineCases: readonly (readonly [
  name: string,
  load: (folder?: string) => EngineCase | null,
])[] = [
  ...posteriors.map((model) => [model, (folder?: string) => ofPosterior(model, folder)] as const),
  ...Object.entries(larger).map(([name, make]) => {
    const load = (): EngineCase => {
      const { source, data } = make();
      const rstanSource = rstanProgram(source);
      return { name, source, rstanSource, data, adaptDelta, maxTreeDepth, initRadius: 2 };
    };
    return [name, load] as const;
  }),
];
