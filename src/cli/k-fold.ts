/** `ergodic loo MODEL.stan --k-fold`: runs the program again for each fold, with that fold held out. */
import { type RunResult, runChains } from '../engine/run.ts';
import { checkProgram } from '../language/check.ts';
import { hasErrors } from '../language/diagnostics.ts';
import { wantedVariables } from '../mapping/wanted.ts';
import { type KFold, kFoldOf, makeFolds } from '../posterior/k-fold.ts';
import { isLogLik } from '../posterior/variable-kinds.ts';
import { StartError } from '../service/start-error.ts';
import { say } from './report.ts';
import type { RunInputs } from './run-inputs.ts';

export interface KFoldOptions {
  /** True: given without a number. */
  readonly kFold: string | true;
  /** Name of the flag in the data; absent: found by its name. */
  readonly holdout?: string | undefined;
  readonly stratify?: string | undefined;
  readonly group?: string | undefined;
  /** Of the run on all data, one entry per observation. */
  readonly full?: readonly Float64Array[] | undefined;
  readonly workerUrl?: URL | undefined;
}

interface FoldedRun extends KFold {
  /** Fold of each observation, from 1. */
  readonly folds: readonly number[];
  readonly observations: readonly string[];
}

const usualNames = ['holdout', 'hold_out', 'held_out', 'heldout'];

/** Folds when no number is given. */
const usualFolds = 10;

export async function runFolds(inputs: RunInputs, options: KFoldOptions): Promise<FoldedRun> {
  const { source, files, settings } = inputs;
  const data = inputs.data as Readonly<Record<string, unknown>>;
  const { name, count } = findFlag(inputs, options.holdout);
  const folds = readFolds(options.kFold, count);
  const seed = settings.seed ?? 1;
  const fold = makeFolds({ count, folds, seed, ...keptTogether(data, count, options) });
  const numFolds = new Set(fold).size;
  let observations: readonly string[] = [];
  const heldOut: Float64Array[] = Array.from({ length: count }, () => new Float64Array());
  for (let k = 0; k < numFolds; k++) {
    say(
      `Fold ${k + 1} of ${numFolds}: ${fold.filter((one) => one === k).length} observations held out`,
    );
    const flags = Array.from(fold, (one) => (one === k ? 1 : 0));
    const result = await runChains({
      source,
      files,
      data: { ...data, [name]: flags },
      settings: { ...settings, seed: seed + k },
      ...(options.workerUrl === undefined ? {} : { workerUrl: options.workerUrl }),
    });
    observations = checkRun(result, { fold: k + 1, count });
    for (let i = 0; i < count; i++)
      if (fold[i] === k) heldOut[i] = drawsOf(result, observations[i]);
  }
  if (options.full !== undefined && options.full.length !== count)
    throw new StartError(`The draws have ${options.full.length} observations, the data ${count}.`);
  return {
    ...kFoldOf(heldOut, options.full),
    folds: Array.from(fold, (one) => one + 1),
    observations,
  };
}

/** The flag of each observation in the data block, and how many there are. Throws when the program has none. */
function findFlag(inputs: RunInputs, given: string | undefined): { name: string; count: number } {
  const { program, diagnostics } = checkProgram(inputs.source, {
    include: (name) => inputs.files[name] ?? null,
  });
  if (hasErrors(diagnostics)) throw new StartError('The program has errors: see ergodic run.');
  const names = given === undefined ? usualNames : [given];
  const flag = wantedVariables(program.data).find(
    (one) => names.includes(one.name) && one.isInt && one.dims.length === 1,
  );
  if (flag === undefined)
    throw new StartError(
      given === undefined
        ? 'K-fold cross-validation needs a flag for each observation in the data of the program. Add `array[N] int<lower=0, upper=1> holdout;` to the data block, add the likelihood of observation i only where holdout[i] is 0, and compute log_lik[i] for every observation. If the flag has another name, give it with --holdout.'
        : `The program has no integer array ${given} in its data block (--holdout).`,
    );
  const [size] = flag.dims;
  const data = inputs.data as Readonly<Record<string, unknown>>;
  const own = data[flag.name];
  const found = typeof size === 'number' ? size : typeof size === 'string' ? data[size] : null;
  const count = Array.isArray(own) ? own.length : found;
  if (typeof count !== 'number' || count < 2)
    throw new StartError(`The data do not say how many observations ${flag.name} has.`);
  return { name: flag.name, count };
}

function readFolds(given: string | true, count: number): number {
  const folds = given === true ? Math.min(usualFolds, count) : Number(given);
  if (Number.isInteger(folds) && folds >= 2 && folds <= count) return folds;
  throw new StartError(
    `--k-fold must be a whole number from 2 to ${count}, the number of observations (got ${String(given)}).`,
  );
}

function keptTogether(
  data: Readonly<Record<string, unknown>>,
  count: number,
  { stratify, group }: KFoldOptions,
) {
  if (stratify !== undefined && group !== undefined)
    throw new StartError('Give --stratify or --group, not both.');
  const column = (name: string, option: string) => {
    const values = data[name];
    const isColumn = Array.isArray(values) && values.length === count;
    if (isColumn && values.every((value) => typeof value === 'number')) return values as number[];
    throw new StartError(`The data have no ${count} numbers ${name} (${option}).`);
  };
  if (stratify !== undefined) return { strata: column(stratify, '--stratify') };
  return group === undefined ? {} : { groups: column(group, '--group') };
}

/** Names of the observations' log likelihoods. Throws if a chain failed or there is not one per observation. */
function checkRun(
  { chains, columns }: RunResult,
  { fold, count }: { readonly fold: number; readonly count: number },
): readonly string[] {
  for (const { chain, outcome } of chains)
    if (outcome.status !== 'complete')
      throw new StartError(
        `Chain ${chain} of fold ${fold} failed: ${outcome.status === 'failed' ? outcome.failure.message : 'it was stopped'}`,
      );
  const observations = columns.filter(isLogLik);
  if (observations.length !== count)
    throw new StartError(
      `The program computes log_lik for ${observations.length} observations, and the flag has ${count}: held-out observations need it too.`,
    );
  const divergent = chains.reduce((sum, { progress }) => sum + (progress?.divergences ?? 0), 0);
  if (divergent > 0) say(`Fold ${fold}: ${divergent} divergent transitions.`);
  return observations;
}

function drawsOf({ chains, columns }: RunResult, name: string): Float64Array {
  const place = columns.indexOf(name);
  const parts = chains.flatMap(({ sampling }) => sampling.slice(place, place + 1));
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => {
    all.set(part, at);
    return at + part.length;
  }, 0);
  return all;
}

export function kFoldText(found: FoldedRun, isJson: boolean): string {
  const { pointwise, folds, observations, ...totals } = found;
  if (isJson) {
    const rows = observations.map((observation, i) => ({
      observation,
      fold: folds[i],
      elpd_kfold: pointwise[i],
    }));
    return `${JSON.stringify({ ...totals, observations: rows }, null, 2)}\n`;
  }
  const line = (name: string, value: number, se: number) =>
    `${name.padEnd(11)} ${value.toFixed(2)}  (SE ${se.toFixed(2)})`;
  const { p_kfold: p, se_p_kfold: pError = Number.NaN } = found;
  return [
    line('elpd_kfold', found.elpd_kfold, found.se_elpd_kfold),
    ...(p === undefined ? [] : [line('p_kfold', p, pError)]),
    line('kfoldic', found.kfoldic, found.se_kfoldic),
    '',
  ].join('\n');
}
