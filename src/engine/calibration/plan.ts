/**
 * How a program can be calibrated, judged by its variables: it simulates its data itself, in transformed data (Stan
 * user's guide, chapter "Simulation-based calibration"), or its prior can be sampled apart and it replicates its data.
 */
import type { OutputVariable, ProgramVariable } from '../../language/program.ts';
import { priorFlags, replicatedOf } from '../../posterior/predictive/pairing.ts';
import { joined } from '../../posterior/verdict-label.ts';
import type { CalibrationSettings } from '../chain-state.ts';

/** The output that shows where the true value of a quantity lies. */
export interface TruthSource {
  /** A parameter, or the indicator itself if its name does not say which one. */
  readonly quantity: string;
  readonly source: OutputVariable;
  /** `above`: 1 if a draw is greater than the true value, as in rstan's `ranks_`. */
  readonly kind: 'truth' | 'below' | 'above';
}

/** Data that an output replicates. */
export interface Replication {
  readonly data: string;
  readonly source: OutputVariable;
}

export type CalibrationPlan =
  | { readonly kind: 'simulates-itself'; readonly truths: readonly TruthSource[] }
  | {
      readonly kind: 'prior-and-replication';
      readonly flag: string;
      readonly replications: readonly Replication[];
    }
  | { readonly kind: 'none'; readonly message: string };

export interface PlanRequest {
  readonly outputs: readonly OutputVariable[];
  readonly variables: readonly ProgramVariable[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly choice: CalibrationSettings;
}

export function planCalibration(request: PlanRequest): CalibrationPlan {
  const { choice, outputs } = request;
  for (const [name, output] of Object.entries(choice.simulated ?? {})) {
    const fault = faultOfChoice(request, name, output);
    if (fault !== null) return { kind: 'none', message: fault };
  }
  if (!outputs.some(({ block }) => block === 'parameters'))
    return {
      kind: 'none',
      message: 'The program has no parameters, so there is nothing to check.',
    };
  const truths = findTruths(request);
  if (truths.length > 0) return { kind: 'simulates-itself', truths };
  const replications = findReplications(request);
  const flag = findFlag(request);
  if (flag !== null && replications.length > 0)
    return { kind: 'prior-and-replication', flag, replications };
  return { kind: 'none', message: missingOf(request, flag, replications) };
}

function faultOfChoice({ outputs, variables }: PlanRequest, name: string, output: string) {
  if (!outputs.some((variable) => variable.name === output && isGenerated(variable)))
    return `\`simulated\` names ${output}, which is not a variable of generated quantities.`;
  if (!variables.some((variable) => variable.name === name))
    return `\`simulated\` names ${name}, which is not a variable of the program.`;
  return null;
}

const isGenerated = ({ block }: OutputVariable): boolean => block === 'generated quantities';

/** The choice, otherwise copies and indicators found by name. Empty unless transformed data simulates the data. */
function findTruths({ outputs, variables, choice }: PlanRequest): TruthSource[] {
  const generated = outputs.filter(isGenerated);
  const unknowns = outputs.filter((variable) => !isGenerated(variable));
  const isData = (name: string) => variables.some((v) => v.name === name && v.block === 'data');
  const chosen = Object.entries(choice.simulated ?? {}).filter(([name]) => !isData(name));
  if (chosen.length > 0)
    return chosen.flatMap(([quantity, output]) =>
      generated
        .filter(({ name }) => name === output)
        .map((source) => ({ quantity, source, kind: kindOf(source, unknowns, quantity) })),
    );
  if (choice.simulated !== null) return [];
  if (!variables.some(({ block }) => block === 'transformed data')) return [];
  const copies = unknowns.flatMap(({ name, dims }): TruthSource[] => {
    const source = generated.find(
      (one) => truthNames(name).includes(one.name) && isSameShape(one.dims, dims),
    );
    return source === undefined ? [] : [{ quantity: name, source, kind: 'truth' }];
  });
  const known = new Set(copies.map(({ quantity }) => quantity));
  const indicators = generated
    .filter(({ isInt }) => isInt)
    .flatMap((source): TruthSource[] => {
      if (source.name === 'ranks_') return [{ quantity: 'ranks_', source, kind: 'above' }];
      const of = indicatorOf(source.name);
      if (of === null || known.has(of)) return [];
      const isOfUnknown = unknowns.some(
        ({ name, dims }) => name === of && isSameShape(dims, source.dims),
      );
      return [{ quantity: isOfUnknown ? of : source.name, source, kind: 'below' }];
    });
  return [...copies, ...indicators];
}

function kindOf(source: OutputVariable, unknowns: readonly OutputVariable[], quantity: string) {
  const isReal = unknowns.some(({ name, isInt }) => name === quantity && !isInt);
  return source.isInt && isReal ? 'below' : 'truth';
}

/** The guide's and rstan's name for a simulated value of a parameter. */
const truthNames = (name: string): readonly string[] => [
  `${name}_sim`,
  `sim_${name}`,
  `${name}_true`,
  `true_${name}`,
  `${name}_`,
];

/** `mu` of `lt_mu` and `mu_lt_sim`, nothing known of `lt_sim`; null: not named like an indicator. */
function indicatorOf(name: string): string | null {
  const found = /^(?:I_)?lt_(\w+?)(?:_sim)?$/.exec(name) ?? /^(?:I_)?(\w+?)_lt_sim$/.exec(name);
  return found?.[1] ?? null;
}

function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, i) => size === b[i]);
}

function findReplications({ outputs, variables, data, choice }: PlanRequest): Replication[] {
  const generated = outputs.filter(isGenerated);
  return variables
    .filter(({ block }) => block === 'data')
    .flatMap(({ name }): Replication[] => {
      const shape = shapeOf(data[name]);
      const chosen = choice.simulated?.[name];
      const fitting = generated
        .filter(({ dims }) => isSameShape(dims, shape))
        .flatMap((source) => {
          const rank = source.name === chosen ? -1 : rankAs(source.name, name);
          return rank === null || (choice.simulated !== null && rank >= 0)
            ? []
            : [{ source, rank }];
        })
        .toSorted((a, b) => a.rank - b.rank);
      return fitting.slice(0, 1).map(({ source }) => ({ data: name, source }));
    });
}

function rankAs(output: string, data: string): number | null {
  const replicated = replicatedOf(output);
  return replicated?.base === data ? replicated.rank : null;
}

function shapeOf(value: unknown): number[] {
  return Array.isArray(value) ? [value.length, ...shapeOf(value[0])] : [];
}

function findFlag({ variables, choice }: PlanRequest): string | null {
  const names = choice.priorFlag === null ? priorFlags : [choice.priorFlag];
  const found = variables.find(
    ({ name, block, type }) =>
      block === 'data' && names.includes(name) && type.base === 'int' && type.arrayDepth === 0,
  );
  return found?.name ?? null;
}

function missingOf(
  { choice }: PlanRequest,
  flag: string | null,
  replications: readonly Replication[],
): string {
  const lacking = [
    flag !== null
      ? ''
      : choice.priorFlag === null
        ? 'a flag in its data that leaves the likelihood out (`int<lower=0, upper=1> prior_only;`)'
        : `an int \`${choice.priorFlag}\` in its data, which \`prior_flag\` names`,
    replications.length > 0
      ? ''
      : 'generated quantities that replicate the data (`y_rep` for `y`, of the same size)',
  ].filter((text) => text !== '');
  return `This program cannot simulate its data. It needs ${joined(lacking)}; or transformed data that draws parameters and data with \`_rng\` functions, with the true values or \`lt_sim\` in generated quantities.`;
}
