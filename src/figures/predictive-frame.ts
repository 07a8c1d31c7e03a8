/** What the figures of predictive checks share: what they are asked, names, colours and titles. */
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

/** The checks that say something of an outcome, the one to look at first in front. */
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
  /** One variable an observation, in the order of `y`; and their array's name. */
  readonly replicated: readonly FigureVariable[];
  readonly replicatedName: string;
  /** Pointwise log likelihoods in the same order: LOO-PIT needs them. */
  readonly logLik?: readonly FigureVariable[];
  /** Place of each observation in the data from 1; absent: 1, 2, … Of a group these are not all. */
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

/** What the parts that draw have in common. */
export interface PredictiveParts extends PredictiveInput {
  readonly predictive: Predictive;
}

/** The data are ink, what is replicated stands behind it. */
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

/** As `framed`, with a legend in the card too: which is which must be seen there. */
export function framedWithLegend(
  layout: Record<string, unknown>,
  labels: FigureLabels,
  options: FigureOptions,
): Record<string, unknown> {
  const margin = layout.margin as { readonly l: number; readonly r: number; readonly b: number };
  const legend = options.alone === true ? {} : cardLegend(options.palette);
  return framed({ ...layout, ...legend, margin: { ...margin, t: 26 } }, labels, options);
}
