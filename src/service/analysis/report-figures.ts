/** The pictures in a report: the worst variables, what the sampler reports, and leave-one-out if available. */
import { setImmediate } from 'node:timers/promises';
import type { Summary, SummaryRow } from '../../contract/draws.ts';
import { densityFigure } from '../../figures/density-figure.ts';
import { energyFigure } from '../../figures/energy-figure.ts';
import type { DrawnFigure, FigureVariable } from '../../figures/figure.ts';
import { forestFigure } from '../../figures/forest-figure.ts';
import { pagePalette } from '../../figures/page-palette.ts';
import { pairFigure } from '../../figures/pair-figure.ts';
import { rankEcdfFigure } from '../../figures/rank-figure.ts';
import { acceptanceFigure, treedepthFigure } from '../../figures/sampler-figure.ts';
import { sensitivityFigure } from '../../figures/sensitivity-figure.ts';
import { traceFigure } from '../../figures/trace-figure.ts';
import {
  firstLook,
  inKindOrder,
  isLogLik,
  isLogPrior,
  kindOf,
} from '../../posterior/variable-kinds.ts';
import { shownName } from '../../posterior/variable-labels.ts';
import { formatCount } from '../../shared/readable-numbers.ts';
import type { FigureDraws } from './figure-draws.ts';
import { type Html, html } from './html-text.ts';
import { figureBlock } from './plot-page.ts';

/** Number of variables shown in pictures, and of lines in the forest plot. */
const shownVariables = 6;
const forestLines = 60;
const pairVariables = 4;
/** Largest number of log_lik values that are read. */
export const maxLogLik = 16 * 2 ** 20;

const options = { palette: pagePalette, alone: true } as const;

/** Numbers the pictures so that no two share an id. */
export class FigureNumbers {
  private count = 0;
  block(figure: DrawnFigure, label: string, isWide = false): Html {
    return figureBlock(figure, label, `r${++this.count}`, isWide);
  }
}

export interface ReportFigures {
  readonly numbers: FigureNumbers;
  readonly draws: FigureDraws;
  /** Worst first. */
  readonly rows: readonly SummaryRow[];
  readonly summary: Summary;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Notes on what was left out are added here. */
  readonly leftOut: string[];
}

/** Parameters only: intervals of quantities generated for each observation say little, and would hide them. */
export function forestPart({ numbers, rows, leftOut }: ReportFigures): Html | null {
  const isFirst = firstLook(rows);
  const wanted = rows.filter(isFirst);
  const drawn = inKindOrder(wanted.filter((row) => row.median !== null));
  if (drawn.length === 0) return null;
  const others = rows.filter((row) => kindOf(row) !== 'sampler').length - wanted.length;
  if (drawn.length > forestLines)
    leftOut.push(`The forest shows ${forestLines} of ${drawn.length} variables.`);
  if (others > 0)
    leftOut.push(
      `The forest shows parameters; ${others === 1 ? '1 other variable is' : `${formatCount(others)} others are`} in the table only.`,
    );
  const figure = forestFigure(drawn.slice(0, forestLines), { ...options, showRhat: true });
  return html`<h2>Intervals</h2>${numbers.block({ ...figure, notes: [] }, 'Median, 50 % and 90 % interval of each variable', true)}`;
}

function isPerObservation(row: SummaryRow): boolean {
  const kind = kindOf(row);
  return kind === 'log likelihood' || kind === 'replications';
}

/** Trace, ranks and density of the worst variables. */
export async function variableParts(figures: ReportFigures): Promise<Html> {
  const { numbers, draws, rows, leftOut } = figures;
  const candidates = rows.filter((row) => !row.constant && !isPerObservation(row));
  const chosen = candidates.slice(0, shownVariables);
  if (candidates.length > chosen.length)
    leftOut.push(
      `Trace, ranks and density are drawn for ${chosen.length} of ${candidates.length} variables.`,
    );
  if (rows.some(({ variable }) => isLogLik(variable)))
    leftOut.push('Pointwise log likelihoods appear only in the leave-one-out section.');
  const parts: Html[] = [];
  for (const row of chosen) {
    const { variable } = row;
    const name = shownName(row);
    const read = await draws.read(variable);
    const numSamples = Math.max(1, draws.numDraws);
    const trace = { ...options, numWarmup: 0, numSamples, showWarmup: false, width: 500 };
    parts.push(html`<h3><code>${name}</code></h3>
<div class="grid">
${numbers.block(traceFigure(read, trace), `Trace of ${name}`)}
${numbers.block(rankEcdfFigure(read, options), `Rank ECDF difference of ${name}`)}
${numbers.block(densityFigure(read, options), `Density of ${name}, one line a chain`)}
</div>`);
    // Lets the worker send its heartbeats in between.
    await setImmediate();
  }
  return html`<h2>Variables, worst first</h2>${parts}`;
}

/** Energy, tree depth, acceptance, and pairs with divergences on top: each if it is recorded. */
export async function samplerPart(figures: ReportFigures): Promise<Html | null> {
  const { numbers, draws, settings, leftOut } = figures;
  const has = (column: string) => draws.columns.includes(column);
  const chainsOf = async (column: string) => (await draws.read(column)).chains;
  const parts: Html[] = [];
  if (has('energy__'))
    parts.push(
      numbers.block(energyFigure(await chainsOf('energy__'), options), 'Energy and E-BFMI'),
    );
  else leftOut.push('No energy plot: energies are not recorded.');
  if (has('treedepth__')) {
    const maxTreedepth = numberOf(settings.max_treedepth);
    const figure = treedepthFigure(await chainsOf('treedepth__'), { ...options, maxTreedepth });
    parts.push(numbers.block(figure, 'Tree depths'));
  }
  if (has('accept_stat__') && has('stepsize__')) {
    const input = {
      acceptance: await chainsOf('accept_stat__'),
      stepSize: await chainsOf('stepsize__'),
    };
    const figure = acceptanceFigure(input, { ...options, target: numberOf(settings.adapt_delta) });
    parts.push(numbers.block(figure, 'Acceptance and step size'));
  }
  const pairs = await pairPart(figures);
  if (pairs !== null) parts.push(pairs);
  return parts.length === 0 ? null : html`<h2>Sampler</h2><div class="grid">${parts}</div>`;
}

async function pairPart({ numbers, draws, rows, summary }: ReportFigures): Promise<Html | null> {
  const isFirst = firstLook(rows);
  const chosen = rows
    .filter((row) => isFirst(row) && !row.constant && row.non_finite === 0)
    .slice(0, pairVariables);
  if (chosen.length < 2 || (summary.verdict.divergences ?? 0) === 0) return null;
  const read: FigureVariable[] = [];
  for (const { variable } of chosen) read.push(await draws.read(variable));
  const figure = pairFigure(read, { ...options, maxPoints: 4000 });
  return numbers.block(figure, 'Pairs of the worst variables, divergences on top');
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Sensitivity to prior and likelihood, if the run has the log densities of both. */
export async function sensitivityPart(figures: ReportFigures): Promise<Html | null> {
  const { numbers, draws, rows, leftOut } = figures;
  const needed = draws.variables.filter((name) => isLogPrior(name) || isLogLik(name));
  if (!needed.some(isLogPrior) || !needed.some(isLogLik)) return null;
  const isFirst = firstLook(rows);
  const looked = rows.flatMap((row) =>
    isFirst(row) && !row.constant && !isLogPrior(row.variable) ? [row.variable] : [],
  );
  const names = [...looked.slice(0, forestLines), ...needed];
  const values = names.length * draws.chains.length * draws.numDraws;
  if (values > maxLogLik) {
    leftOut.push(`No sensitivity: it needs ${values} values, more than ${maxLogLik}.`);
    return null;
  }
  const read: FigureVariable[] = [];
  for (const name of names) read.push(await draws.read(name));
  await setImmediate();
  return html`<h2>Sensitivity</h2>${numbers.block(sensitivityFigure(read, options), 'Sensitivity of each variable to prior and likelihood', true)}`;
}
