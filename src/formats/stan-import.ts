/** One chain of CmdStan as an imported chain, with the settings that its comments contain. */
import {
  ImportError,
  type ImportedColumn,
  type ImportedDraws,
  samplerColumn,
} from './imported-draws.ts';
import { parseNumber } from './number-text.ts';
import type { StanCsvChain } from './stan-csv-reader.ts';

/** Throws {@link ImportError} for output of CmdStan methods other than sampling. */
export function importStanChain<C>(chain: StanCsvChain<C>): ImportedDraws<C> {
  refuseOtherMethods(chain);
  const columns = chain.variables.map(
    (name): ImportedColumn => (isSampler(name) ? samplerColumn(name) : { name }),
  );
  if (columns.every((column) => column.sampler))
    throw new ImportError('The file has no column for a variable.');
  return {
    columns,
    chains: [
      {
        name: chain.chainId === null ? '' : String(chain.chainId),
        draws: chain.draws,
        warmup: chain.warmup,
        stepSize: chain.stepSize,
        warmupSeconds: chain.warmupSeconds,
        samplingSeconds: chain.samplingSeconds,
        ...(chain.config.get('left_out') === 'yes' && { leftOut: true }),
      },
    ],
    settings: settingsOf(chain.config),
    notes: chain.isCut
      ? ['The last line has no line end, so it may be incomplete, and was left out.']
      : [],
  };
}

const isSampler = (name: string): boolean => name.endsWith('__');

const methodContents: ReadonlyMap<string, string> = new Map([
  ['optimize', 'a single point estimate, not draws'],
  ['optimization', 'a single point estimate, not draws'],
  ['variational', 'draws of a variational approximation (ADVI), not of a Markov chain'],
  ['pathfinder', 'draws of an approximation (Pathfinder), not of a Markov chain'],
  ['laplace', 'draws of a Laplace approximation, not of a Markov chain'],
  ['diagnose', 'a test of gradients, not draws'],
  ['log_prob', 'log densities, not draws'],
]);

function refuseOtherMethods(chain: Pick<StanCsvChain, 'config' | 'variables'>): void {
  const content = otherContent(chain);
  if (content !== null)
    throw new ImportError(
      `This file contains ${content}. Import the output of CmdStan's \`sample\` method instead.`,
    );
}

/** The content of a file from a method other than sampling, for a sentence; null: it contains draws of a chain. */
export function otherContent({
  config,
  variables,
}: Pick<StanCsvChain, 'config' | 'variables'>): string | null {
  // Old CmdStan wrote no method; its other methods are recognised by their columns.
  const named = (config.get('method') ?? '').toLowerCase();
  const byColumns = variables.includes('log_p__') && variables.includes('log_g__');
  const method = named === '' && byColumns ? 'variational' : named;
  return methodContents.get(method) ?? null;
}

/** CmdStan's keys → ours. */
const keys: readonly (readonly [theirs: string, ours: string])[] = [
  ['model', 'model'],
  ['model_name_e', 'model'],
  ['num_samples', 'num_samples'],
  ['num_warmup', 'num_warmup'],
  ['save_warmup', 'save_warmup'],
  ['thin', 'thin'],
  ['seed', 'seed'],
  ['delta', 'adapt_delta'],
  ['max_depth', 'max_treedepth'],
  ['metric', 'metric'],
  ['stepsize', 'stepsize'],
  ['algorithm', 'algorithm'],
  ['init', 'init_radius'],
  ['init_radius', 'init_radius'],
];

/** CmdStan's settings under our names. */
export function settingsOf(
  config: ReadonlyMap<string, string>,
): Record<string, number | string | boolean> {
  const settings: Record<string, number | string | boolean> = {};
  for (const [theirs, ours] of keys) {
    const text = config.get(theirs);
    if (text === undefined || text === '' || ours in settings) continue;
    const value = text.slice(0, 200);
    if (ours === 'save_warmup') settings[ours] = value === '1' || value === 'true';
    else if (ours === 'metric') settings[ours] = value.replace(/_e$/, '');
    else if (ours === 'init_radius' && parseNumber(value) === null) continue;
    else settings[ours] = ours === 'model' ? value : (parseNumber(value) ?? value);
  }
  const version = ['major', 'minor', 'patch'].map((part) => config.get(`stan_version_${part}`));
  if (version[0] !== undefined) settings.stan_version = version.filter(Boolean).join('.');
  return settings;
}
