/** Which variables of a run replicate which data, decided by names and sizes, or chosen by a person. */
import { arrayOf, elementOf } from '../variable-kinds.ts';

/** A data variable: numbers, last index fastest. */
export interface DataVariable {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float64Array;
}

/** An array of the run: its scalar variables, last index fastest. */
export interface RunArray {
  readonly name: string;
  readonly variables: readonly string[];
}

export interface PredictivePair {
  readonly observed: DataVariable;
  readonly replicated: RunArray;
  /** Pointwise log likelihoods of the same observations; null: the run has none of that size. */
  readonly logLik: RunArray | null;
}

/** A manual choice; empty text: not chosen. */
export interface PairChoice {
  readonly observed: string;
  readonly replicated: string;
}

/** Common suffixes for replicated data, the most telling first; `hat` is often a mean. */
const marks = ['rep', 'ppc', 'pred', 'tilde', 'sim', 'new', 'hat'];
const marked = new RegExp(`^(.*?)_?(${marks.join('|')})$`, 'i');
const markedBefore = new RegExp(`^(${marks.join('|')})_(.+)$`, 'i');

/** `y` for `y_rep`, `yrep`, `y_pred`, `rep_y`; null for names unlike those of replicated data. */
export function replicatedOf(
  name: string,
): { readonly base: string; readonly rank: number } | null {
  const rankOf = (mark: string) => marks.indexOf(mark.toLowerCase());
  const behind = marked.exec(name);
  if (behind !== null && behind[1] !== '') return { base: behind[1], rank: rankOf(behind[2]) };
  const before = markedBefore.exec(name);
  return before === null ? null : { base: before[2], rank: rankOf(before[1]) };
}

/** Arrays of at least two elements, in the order of the run. */
export function runArrays(variables: readonly string[]): RunArray[] {
  const arrays = new Map<string, string[]>();
  for (const variable of variables) {
    const name = arrayOf(variable);
    const own = arrays.get(name);
    if (own === undefined) arrays.set(name, [variable]);
    else own.push(variable);
  }
  return [...arrays].flatMap(([name, own]) =>
    own.length < 2 ? [] : [{ name, variables: own.toSorted(byIndices) }],
  );
}

/** Sorts `y[2,9]` before `y[2,10]`. */
function byIndices(a: string, b: string): number {
  const [one, other] = [indicesOf(a), indicesOf(b)];
  const at = one.findIndex((index, i) => index !== other[i]);
  return one[at] - other[at];
}

function indicesOf(variable: string): number[] {
  return (elementOf(variable)?.indices ?? []).map(Number);
}

/** Data variables that an array of the run could replicate: the same number of values, not all equal. */
export function observedFor(
  { variables }: RunArray,
  data: readonly DataVariable[],
): readonly DataVariable[] {
  return data.filter(
    ({ values }) =>
      values.length === variables.length && values.some((value) => value !== values[0]),
  );
}

/**
 * What is checked: the choice if it fits, otherwise the array with the most telling name whose data exist. Null: no
 * array of the run is named like replicated data, or none has data of the same size.
 */
export function findPair(
  variables: readonly string[],
  data: readonly DataVariable[],
  choice?: PairChoice,
): PredictivePair | null {
  const arrays = runArrays(variables);
  const chosen = arrays.find(({ name }) => name === choice?.replicated);
  // next to `theta`, `theta_tilde` is a parameter on another scale, even if some data have its size
  const own = new Set(variables.map(arrayOf));
  const named = arrays
    .flatMap((array) => {
      const named = replicatedOf(array.name);
      return named === null || own.has(named.base) ? [] : [{ array, ...named }];
    })
    .toSorted((a, b) => a.rank - b.rank);
  const candidates =
    chosen === undefined ? named : [{ array: chosen, base: replicatedOf(chosen.name)?.base }];
  // a data name within the name takes precedence over the size alone
  for (const isByName of [true, false]) {
    for (const { array, base } of candidates) {
      const fitting = observedFor(array, data);
      const observed =
        fitting.find(({ name }) => name === choice?.observed) ??
        fitting.find(({ name }) => name === base) ??
        (isByName ? undefined : bySize(fitting));
      if (observed === undefined) continue;
      const isOther = ({ base: other }: { readonly base: string }) =>
        other !== observed.name && data.some(({ name }) => name === other);
      const logLik = logLikOf(arrays, array, observed, !named.some(isOther));
      return { observed, replicated: array, logLik };
    }
  }
  return null;
}

/** The one with the usual name, otherwise the only one. */
function bySize(fitting: readonly DataVariable[]): DataVariable | undefined {
  return (
    fitting.find(({ name }) => name.toLowerCase() === 'y') ??
    (fitting.length === 1 ? fitting[0] : undefined)
  );
}

/**
 * Named after the data, `log_lik_y` or `y_log_lik`; `log_lik` only if the run replicates no other data to which it
 * might belong.
 */
function logLikOf(
  arrays: readonly RunArray[],
  { variables }: RunArray,
  { name }: DataVariable,
  isOnly: boolean,
): RunArray | null {
  const names = [`log_lik_${name}`, `${name}_log_lik`, ...(isOnly ? ['log_lik'] : [])];
  const fits = ({ variables: own }: RunArray) => own.length === variables.length;
  for (const wanted of names) {
    const found = arrays.find((array) => array.name === wanted && fits(array));
    if (found !== undefined) return found;
  }
  return null;
}

/** Data variables that group the observations: few distinct integers, each used more than once somewhere. */
export function groupings(observed: DataVariable, data: readonly DataVariable[]): DataVariable[] {
  return data.filter(({ name, values }) => {
    if (name === observed.name || values.length !== observed.values.length) return false;
    const levels = new Set(values);
    const isWhole = values.every(Number.isInteger);
    return isWhole && levels.size >= 2 && levels.size <= Math.min(50, values.length / 2);
  });
}

/** Observations that share a value of a data variable. */
export interface ObservationGroup {
  /** `county 3`. */
  readonly label: string;
  /** Their indexes in the data, from 0. */
  readonly members: readonly number[];
}

/** Maximum number of groups shown, the largest first. */
export const mostGroups = 12;

/** The observations by the values of `by`, the largest group first. */
export function groupsBy({ name, values }: DataVariable): ObservationGroup[] {
  const groups = new Map<number, number[]>();
  for (const [i, level] of values.entries()) {
    const members = groups.get(level);
    if (members === undefined) groups.set(level, [i]);
    else members.push(i);
  }
  return [...groups]
    .map(([level, members]) => ({ label: `${name} ${level}`, members }))
    .toSorted((a, b) => b.members.length - a.members.length);
}

/** Flags in data with which a program leaves its likelihood out; brms uses the first. */
export const priorFlags: readonly string[] = [
  'prior_only',
  'sample_prior',
  'only_prior',
  'prior_predictive',
];

/** The flag in the data, and whether it is set; null: none. */
export function priorFlagOf(
  data: readonly DataVariable[],
): { readonly name: string; readonly isSet: boolean } | null {
  const found = data.find(
    ({ name, values }) =>
      priorFlags.includes(name) && values.length === 1 && (values[0] === 0 || values[0] === 1),
  );
  return found === undefined ? null : { name: found.name, isSet: found.values[0] === 1 };
}
