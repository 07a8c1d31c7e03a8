/** Shared parts of predictive check figures: their input, names, colours and titles. */
import type { OutcomeKind, Predictive } from '../posterior/predictive/replications.ts';
import {
  cardLegend,
  type FigureLabels,
  type FigureOptions,
  type FigureVariable,
  framed,
  plotText,
  shorten,
} from './figure.ts';
import { type PlotPalette, withAlpha } from './palette.ts';

export const predictiveChecks = [
  'density',
  'rootogram',
  'calibration',
  'ecdf',
  'bars',
  'intervals',
  'statistics',
  'loo-pit',
] as const;
export type PredictiveCheck = (typeof predictiveChecks)[number];

/** The checks that suit an outcome, the most useful one first. */
export const checksOf: Readonly<Record<OutcomeKind, readonly PredictiveCheck[]>> = {
  continuous: ['density', 'ecdf', 'intervals', 'statistics', 'loo-pit'],
  count: ['rootogram', 'bars', 'ecdf', 'intervals', 'statistics', 'loo-pit'],
  binary: ['calibration', 'bars', 'statistics'],
};

export interface PredictiveInput {
  readonly check: PredictiveCheck;
  readonly outcome: OutcomeKind;
  /** Name of the data variable, and its values. */
  readonly observed: string;
  readonly y: Float64Array;
  /** One variable per observation, in the order of `y`; and their array's name. */
  readonly replicated: readonly FigureVariable[];
  readonly replicatedName: string;
  /** Pointwise log likelihoods in the same order: LOO-PIT needs them. */
  readonly logLik?: readonly FigureVariable[];
  /** Position of each observation in the data from 1; absent: 1, 2, … In a group some are missing. */
  readonly places?: readonly number[];
  /** What the observations have in common: "county 3". */
  readonly group?: string;
  /** The draws are of the prior alone. */
  readonly isPrior?: boolean;
}

export interface PredictiveOptions extends FigureOptions {
  /** Pixels across; default 600. */
  readonly width?: number;
}

/** Shared input of the drawing parts. */
export interface PredictiveParts extends PredictiveInput {
  readonly predictive: Predictive;
}

/** The data have the ink colour, the replicated data are behind them. */
export const observedColor = ({ text }: PlotPalette) => text;
export const replicatedColor = ({ pooled }: PlotPalette, alpha: number) => withAlpha(pooled, alpha);

export const observedText = ({ observed }: PredictiveInput) => plotText(shorten(observed));
export const replicatedText = ({ replicatedName }: PredictiveInput) =>
  plotText(shorten(replicatedName));

/** "Density of y and y_rep, county 3". */
export function titled(what: string, names: PredictiveInput): string {
  const group = names.group === undefined ? '' : `, ${plotText(shorten(names.group))}`;
  const prior = names.isPrior === true ? ' (prior)' : '';
  return `${what} of ${observedText(names)} and ${replicatedText(names)}${group}${prior}`;
}

/** Like `framed`, with a legend in the card too: it must show there which is which. */
export function framedWithLegend(
  layout: Record<string, unknown>,
  labels: FigureLabels,
  options: FigureOptions,
): Record<string, unknown> {
  const margin = layout.margin as { readonly l: number; readonly r: number; readonly b: number };
  const legend = options.alone === true ? {} : cardLegend(options.palette);
  return framed({ ...layout, ...legend, margin: { ...margin, t: 26 } }, labels, options);
}
