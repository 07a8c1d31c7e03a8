/** A caller's request to the plotting function, read leniently: names as text or lists, numbers as text. */
import { invalidField, invalidParameter } from '../http/service-error.ts';
import { findPlotKind, type PlotKind, plotNames } from './plot-kinds.ts';

export const returnTypes = ['plotly', 'svg', 'png', 'html'] as const;
export type ReturnType = (typeof returnTypes)[number];

export interface PlotRequest {
  readonly experimentId: string;
  readonly shareId: string;
  readonly kind: PlotKind;
  readonly returnType: ReturnType;
  /** Names or numbers of chains; empty: all. */
  readonly chains: readonly string[];
  /** Names of variables, or of the arrays they are in; empty: all. */
  readonly variables: readonly string[];
  /** The data variable whose values split predictive checks into groups; empty: all observations together. */
  readonly group: string;
  readonly numIterations: number;
  readonly isDark: boolean;
}

/** Throws `INVALID_PARAMETER`, naming the parameter. An unknown `return_type` means the default, as callers expect. */
export function readPlotRequest(parameters: Readonly<Record<string, unknown>>): PlotRequest {
  const experimentId = textAt(parameters, 'experiment_id');
  if (experimentId === '')
    throw invalidField('parameters.experiment_id', 'is missing: name the run to plot.');
  const plotFunc = textAt(parameters, 'plot_func') || 'trace';
  const kind = findPlotKind(plotFunc);
  if (kind === null)
    throw invalidParameter(
      `parameters.plot_func is ${plotFunc.slice(0, 60)}; the known plots are ${plotNames.join(', ')}.`,
      { field: 'parameters.plot_func', known: plotNames },
    );
  const wanted = textAt(parameters, 'return_type').toLowerCase();
  return {
    experimentId,
    shareId: textAt(parameters, 'share_id'),
    kind,
    returnType: returnTypes.find((type) => type === wanted) ?? 'plotly',
    chains: namesAt(parameters, 'plot_chain'),
    variables: namesAt(parameters, 'plot_var'),
    group: textAt(parameters, 'plot_group'),
    numIterations: countAt(parameters, 'n_iteration'),
    isDark: textAt(parameters, 'theme') === 'dark',
  };
}

function textAt(parameters: Readonly<Record<string, unknown>>, name: string): string {
  const value = parameters[name];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw invalidField(`parameters.${name}`, 'must be text.');
  return value.trim();
}

function namesAt(parameters: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = parameters[name] ?? '';
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item: unknown) => {
    if (typeof item === 'number') return [String(item)];
    if (typeof item !== 'string')
      throw invalidField(`parameters.${name}`, 'must be a name, or a list of names.');
    return splitNames(item);
  });
}

/** Splits at commas outside brackets: `mu,theta[1,2]` is two names. */
function splitNames(text: string): string[] {
  const names = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '[') depth++;
    else if (character === ']') depth = Math.max(0, depth - 1);
    if (character === ',' && depth === 0) names.push('');
    else names[names.length - 1] += character;
  }
  return names.map((name) => name.trim()).filter((name) => name !== '');
}

function countAt(parameters: Readonly<Record<string, unknown>>, name: string): number {
  const value = Number(parameters[name] ?? 0);
  if (Number.isInteger(value) && value >= 0 && value < 2 ** 31) return value;
  throw invalidField(`parameters.${name}`, 'must be a whole number from 0; 0 means all.');
}
