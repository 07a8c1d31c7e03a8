/** The role of a variable in a program, and the order in which people look at variables: parameters first. */

/** The block that declares a variable. */
export const programBlocks = [
  'parameters',
  'transformed parameters',
  'generated quantities',
] as const;
export type ProgramBlock = (typeof programBlocks)[number];

/**
 * In display order. `variables`: from draws of an unknown program. Pointwise log-likelihoods and replicated data are
 * separate from the other generated quantities, since there is one for each observation.
 */
export const variableKinds = [
  'parameters',
  'variables',
  'transformed parameters',
  'generated quantities',
  'log likelihood',
  'replications',
  'sampler',
] as const;
export type VariableKind = (typeof variableKinds)[number];

export const kindLabels: Readonly<Record<VariableKind, string>> = {
  parameters: 'Parameters',
  variables: 'Variables',
  'transformed parameters': 'Transformed parameters',
  'generated quantities': 'Generated quantities',
  'log likelihood': 'Log likelihood',
  replications: 'Replicated data',
  sampler: 'Sampler',
};

/** A scalar variable by its flat name; `block` absent: unknown. */
export interface NamedVariable {
  readonly variable: string;
  readonly block?: ProgramBlock;
}

/** Of members of tuples and parts of complex numbers. */
const hasIndexesWithin = (name: string) => name.includes(':') || /\.(?:real|imag)$/.test(name);

const indexes = /\[[^\]]*\]/g;

/**
 * The name without indexes: `theta` of `theta[1,2]`, of a member of a tuple `x:2` of `x[1]:2[3]`, and of the parts of complex
 * numbers `z.real` of `z[1].real`.
 */
export function arrayOf(variable: string): string {
  const bracket = variable.indexOf('[');
  if (bracket === -1) return variable;
  return hasIndexesWithin(variable) ? variable.replace(indexes, '') : variable.slice(0, bracket);
}

export interface ArrayElement {
  readonly array: string;
  readonly indices: readonly string[];
  /** The text after the indices: `/val` in the names of documented clients, otherwise empty. */
  readonly suffix: string;
}

/** `theta[1,2]`, `theta[1,2]/val` and `x[1]:2[3]`; undefined: not an array element. */
export function elementOf(variable: string): ArrayElement | undefined {
  const suffix = variable.endsWith('/val') ? '/val' : '';
  const name = suffix === '' ? variable : variable.slice(0, -suffix.length);
  const array = arrayOf(name);
  const isTuple = hasIndexesWithin(array);
  if (array === name || !(isTuple || name.endsWith(']'))) return undefined;
  const inside = isTuple
    ? (name.match(indexes) ?? []).map((part) => part.slice(1, -1)).join(',')
    : name.slice(array.length + 1, -1);
  return { array, indices: inside.split(','), suffix };
}

/** The same name with other texts in place of its indices. */
export function withIndices(variable: string, indices: readonly string[]): string {
  let next = 0;
  return variable.replace(indexes, (part) => {
    const count = part.split(',').length;
    next += count;
    return `[${indices.slice(next - count, next).join(',')}]`;
  });
}

const logLikelihood = /^log_?lik(elihood)?$|^log_lik_|_log_lik$/i;
const replication = /^y_?(rep|pred|hat|sim|new)$|_(rep|pred|ppc)$/i;

/** From its block, and if no block settles it, from its name by the usual conventions. */
export function kindOf({ variable, block }: NamedVariable): VariableKind {
  if (variable.endsWith('__') || variable.includes('/stat/') || variable.startsWith('extras/'))
    return 'sampler';
  if (block === 'parameters') return 'parameters';
  const name = arrayOf(variable);
  if (logLikelihood.test(name)) return 'log likelihood';
  if (replication.test(name)) return 'replications';
  return block ?? 'variables';
}

/** Whether a variable is a pointwise log-likelihood, from which leave-one-out is computed: `log_lik[3]`. */
export const isLogLik = (variable: string): boolean => arrayOf(variable) === 'log_lik';

/** Whether a variable is the log prior or a term of it, by the name that brms and priorsense use: `lprior`. */
export const isLogPrior = (variable: string): boolean => arrayOf(variable) === 'lprior';

const rankOf = (variable: NamedVariable): number => variableKinds.indexOf(kindOf(variable));

/** By kind; variables of the same kind keep their order. */
export function inKindOrder<Variable extends NamedVariable>(
  variables: readonly Variable[],
): Variable[] {
  const ranks = new Map(variables.map((variable) => [variable, rankOf(variable)]));
  return variables.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/** What to look at first, the most telling kinds first: later ones only if a run has nothing else. */
const firstLooks: readonly (readonly VariableKind[])[] = [
  ['parameters', 'variables', 'transformed parameters'],
  ['generated quantities'],
  ['log likelihood', 'replications'],
  ['sampler'],
];

/** Whether plots start with a variable of this run until somebody chooses one. */
export function firstLook(variables: readonly NamedVariable[]): (one: NamedVariable) => boolean {
  const present = new Set(variables.map(kindOf));
  const kinds = firstLooks.find((some) => some.some((kind) => present.has(kind)));
  return (one) => kinds?.includes(kindOf(one)) ?? false;
}
