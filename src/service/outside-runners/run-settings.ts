/** Turns the settings in a request to the run proxy into the text that a workflow stores. */
import { stringify } from 'yaml';

/** `meta` next to a model's tree, as public clients send it. */
interface RequestMeta {
  readonly iteraction_count?: unknown;
  readonly iteration_count?: unknown;
  readonly sample_args?: unknown;
}

/** Keys of `sampling`, as users write them. */
export type RequestedSampling = Readonly<Record<string, number>>;

/**
 * `sample_args` are the arguments of the sampler's call in order: random numbers (a seed), model, sampler, ensemble,
 * iterations, chains; placeholders represent what the server fills in. Absent and unreadable ones get our defaults.
 * The misspelt `iteraction_count` is what clients send.
 */
export function samplingOfRequest(meta: RequestMeta, parallel: unknown): RequestedSampling {
  const args = Array.isArray(meta.sample_args) ? (meta.sample_args as unknown[]) : [];
  const [random, , , , iterations, chains] = args;
  const sampling = {
    seed: wholeNumber(seedOf(random), 0),
    num_samples:
      wholeNumber(iterations) ??
      wholeNumber(meta.iteraction_count) ??
      wholeNumber(meta.iteration_count),
    num_chains: wholeNumber(chains),
    parallel_chains: wholeNumber(parallel),
  };
  return Object.fromEntries(
    Object.entries(sampling).filter((entry): entry is [string, number] => entry[1] !== null),
  );
}

export function settingsText(
  sampling: RequestedSampling,
  { engine, name }: { readonly engine: string; readonly name: string },
): string {
  const named = name === '' ? {} : { ergodic: { experiment_name: name } };
  return stringify({ sampling, serverless: { engine }, ...named });
}

/** `{type: 'stable-rng', params: [seed]}`, or the seed itself, possibly under its name. */
function seedOf(random: unknown): unknown {
  if (typeof random !== 'object' || random === null) return random;
  const { params, seed } = random as { params?: unknown; seed?: unknown };
  return Array.isArray(params) ? (params[0] as unknown) : seed;
}

/** Also accepts numbers as text, like command-line arguments. */
function wholeNumber(value: unknown, least = 1): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= least
    ? number
    : null;
}
