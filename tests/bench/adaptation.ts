/**
 * How many gradients an effective draw costs, including warmup, for each way that warmup adapts the metric:
 *
 *   npm run bench -- adaptation [NAME…] [--all] [--seeds 3] [--chains 4] [--iterations 1000]
 *                               [--only fisher,low-rank] [--reference FOLDER]
 *
 * Iterations are per phase. Results are counts, so they do not depend on the machine. FOLDER as for the bench "posteriordb".
 */
import { parseArgs } from 'node:util';
import { createChain } from '../../src/engine/chain.ts';
import { settingsOfChain } from '../../src/engine/chain-settings.ts';
import { blockColumn } from '../../src/engine/events.ts';
import type { Model } from '../../src/engine/model.ts';
import type { Settings } from '../../src/engine/settings-table.ts';
import { essBulk } from '../../src/posterior/ess.ts';
import { rhatRank } from '../../src/posterior/rhat.ts';
import { parameterColumns } from '../support/parameter-columns.ts';
import { type ReferencePosterior, referencePosteriors } from '../support/posteriordb.ts';
import {
  geometricMean,
  isNamed,
  modelFor,
  referenceOption,
  settingsFor,
} from './posterior-options.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    reference: referenceOption,
    seeds: { type: 'string', default: '3' },
    chains: { type: 'string', default: '4' },
    iterations: { type: 'string', default: '1000' },
    only: { type: 'string', default: 'fisher,low-rank' },
    all: { type: 'boolean', default: false },
  },
});

/** Small, with different shapes; `--all` runs every posterior. */
const usual = [
  'eight_schools-eight_schools_noncentered',
  'garch-garch11',
  'hmm_example-hmm_example',
  'gp_pois_regr-gp_regr',
  'gp_pois_regr-gp_pois_regr',
  'kidiq-kidscore_momiq',
  'kidiq_with_mom_work-kidscore_interaction_z',
  'mesquite-logmesquite',
  'earnings-logearn_interaction',
  'sblrc-blr',
  'arK-arK',
  'arma-arma11',
];

type Adaptation = Pick<Settings, 'metric' | 'adaptation'> & Partial<Pick<Settings, 'sampler'>>;
const adaptations: Readonly<Record<string, Adaptation>> = {
  stan: { metric: 'diag', adaptation: 'stan' },
  fisher: { metric: 'diag', adaptation: 'fisher' },
  'low-rank': { metric: 'low-rank', adaptation: 'fisher' },
  'dense-stan': { metric: 'dense', adaptation: 'stan' },
  dense: { metric: 'dense', adaptation: 'fisher' },
  walnuts: { metric: 'diag', adaptation: 'stan', sampler: 'walnuts' },
};
const compared = ['stan', ...options.only.split(',')];

interface Cost {
  readonly gradients: number;
  /** The least over all parameters. */
  readonly ess: number;
  readonly rhat: number;
}

function costOf(
  posterior: ReferencePosterior,
  model: Model,
  choice: Adaptation,
  seed: number,
): Cost {
  let gradients = 0;
  const counted: Model = Object.assign(Object.create(model) as Model, {
    logDensityGradient(theta: Float64Array, gradient: Float64Array) {
      gradients += 1;
      return model.logDensityGradient(theta, gradient);
    },
  });
  const iterations = Number(options.iterations);
  const settings = settingsFor(posterior, {
    ...choice,
    numWarmup: iterations,
    numSamples: iterations,
  });
  const chains = Array.from({ length: Number(options.chains) }, (_, c) => {
    const chain = c + 1;
    const place = { seed, chain, streamWarmup: false };
    const machine = createChain({
      model: counted,
      settings: settingsOfChain(settings, place),
      chain,
    });
    const advance = machine.advance();
    if (advance.status !== 'finished') throw new Error(JSON.stringify(advance));
    return { blocks: advance.blocks, columns: machine.columns };
  });
  const { columns } = chains[0];
  const draws = parameterColumns(model.variables, columns).map((name) =>
    chains.map(({ blocks }) => {
      const c = columns.indexOf(name);
      return Float64Array.from(blocks.flatMap((block) => [...blockColumn(block, c)]));
    }),
  );
  return {
    gradients,
    ess: Math.min(...draws.map(essBulk)),
    rhat: Math.max(...draws.map(rhatRank).filter(Number.isFinite)),
  };
}

/** Over several seeds, except those with a stuck chain, which have no meaningful ESS. */
function summarise(costs: readonly Cost[]): { perDraw: number; stuck: number } {
  const good = costs.filter(({ rhat }) => rhat < 1.05);
  const sum = (f: (cost: Cost) => number) => good.reduce((total, cost) => total + f(cost), 0);
  return {
    perDraw: sum((cost) => cost.gradients) / sum((cost) => cost.ess),
    stuck: costs.length - good.length,
  };
}

const cell = (text: string) => text.padStart(12);
console.log(
  [
    'gradients per effective draw'.padEnd(44),
    ...compared.map(cell),
    ...compared.slice(1).map((name) => cell(`${name} ×`)),
    ' stuck',
  ].join(' '),
);
const gains = new Map<string, number[]>(compared.slice(1).map((name) => [name, []]));
for (const [name, posterior] of Object.entries(referencePosteriors)) {
  const isMeant = names.length > 0 || options.all ? isNamed(name, names) : usual.includes(name);
  if (!isMeant) continue;
  const model = modelFor(posterior, options.reference);
  if (model === null) {
    console.log(name.padEnd(44), 'no data here');
    continue;
  }
  const results = compared.map((kind) =>
    summarise(
      Array.from({ length: Number(options.seeds) }, (_, k) =>
        costOf(posterior, model, adaptations[kind], 4711 + k),
      ),
    ),
  );
  const ratios = results.slice(1).map(({ perDraw }, k) => {
    const gain = results[0].perDraw / perDraw;
    if (Number.isFinite(gain)) gains.get(compared[k + 1])?.push(gain);
    return gain;
  });
  console.log(
    [
      name.padEnd(44),
      ...results.map(({ perDraw }) => cell(perDraw.toFixed(1))),
      ...ratios.map((ratio) => cell(ratio.toFixed(2))),
      ` ${results.map(({ stuck }) => stuck).join('/')}`,
    ].join(' '),
  );
}
for (const [kind, ratios] of gains) {
  if (ratios.length === 0) continue;
  const worst = Math.min(...ratios);
  console.log(
    `${kind}: ${geometricMean(ratios).toFixed(2)} × fewer gradients than Stan's windows in the geometric mean of ${ratios.length}, ${worst.toFixed(2)} at worst, ${ratios.filter((ratio) => ratio < 0.8).length} below 0.8.`,
  );
}
