/** The plotting function: figures of an experiment as Plotly's JSON, SVG, PNG or a page. */

import { setImmediate } from 'node:timers/promises';
import type { DrawnFigure, FigureVariable } from '../../figures/figure.ts';
import { figureJson } from '../../figures/figure-json.ts';
import { paretoKFigure } from '../../figures/loo-figure.ts';
import { pagePalette } from '../../figures/page-palette.ts';
import { type PlotPalette, plotPalettes } from '../../figures/palette.ts';
import { predictiveFigure } from '../../figures/predictive-figure.ts';
import { checksOf, type PredictiveCheck } from '../../figures/predictive-frame.ts';
import { figuresToSvg } from '../../figures/svg-grid.ts';
import { looRefusal } from '../../posterior/loo-refusal.ts';
import {
  type DataVariable,
  groupings,
  groupsBy,
  mostGroups,
} from '../../posterior/predictive/pairing.ts';
import { methodOf, type RunMethod } from '../../posterior/run-method.ts';
import { isLogLik } from '../../posterior/variable-kinds.ts';
import { asSentence, chainsText } from '../../posterior/verdict-label.ts';
import { itemAt } from '../../shared/items.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { invalidField, limitExceeded, notFound, orNotFound } from '../http/service-error.ts';
import { findExperiment } from '../repositories/experiments.ts';
import type { ShareRow } from '../repositories/shares.ts';
import { type ObservedData, readObserved } from '../results/observed-data.ts';
import { openDraws, type VisibleDraws } from '../results/visible-draws.ts';
import { type FigureDraws, openFigureDraws } from './figure-draws.ts';
import type { PlotKind } from './plot-kinds.ts';
import { plotPage } from './plot-page.ts';
import { type PlotRequest, readPlotRequest } from './plot-parameters.ts';
import {
  choosePair,
  ofGroup,
  type PredictiveRun,
  readPredictive,
  valuesOf,
} from './predictive-draws.ts';
import { renderPng } from './render-png.ts';
import { looSize, readLoo } from './run-loo.ts';

/** Figures in one answer. */
export const maxSubplots = 100;
/** Values that one figure of several variables may hold in memory (128 MiB). */
const maxTogether = 16 * 2 ** 20;

export interface PlotAnswer {
  readonly return_type: string;
  /** What is not shown, and why. */
  readonly notes: readonly string[];
  /** `plotly`: one entry per figure. */
  readonly plots?: readonly unknown[];
  readonly svg?: string;
  readonly html?: string;
  /** `png`. */
  readonly base64?: string;
  readonly media_type?: string;
  readonly width?: number;
  readonly height?: number;
}

interface NamedFigure {
  readonly name: string;
  readonly figure: DrawnFigure;
}

/**
 * Draws with the viewer's rights; a share's viewer gets the draws it froze. Parameters: experiment_id, plot_func,
 * plot_var, plot_group, plot_chain (empty: all not left out), return_type, n_iteration, theme, share_id. Throws `ServiceError`.
 */
export async function drawPlot(
  context: CoreContext,
  viewer: Viewer,
  parameters: Readonly<Record<string, unknown>>,
): Promise<PlotAnswer> {
  const request = readPlotRequest(parameters);
  const { experimentId: objid, shareId } = request;
  const visible = await openDraws(context, { objid, operation: 'draws', viewer, shareId });
  const chains = await openFigureDraws(context, { ...visible, leftOut: [] });
  const draws = await openFigureDraws(context, visible, {
    chains: request.chains.length === 0 ? undefined : chooseChains(request, chains),
    numIterations: request.numIterations,
  });
  if (draws.chains.length === 0) throw notFound('This run has no draws yet.');
  const notes = leftOutNotes(chains, draws, request.chains.length > 0);
  const palette =
    request.returnType === 'html' ? pagePalette : plotPalettes[request.isDark ? 'dark' : 'light'];
  const options = { palette, alone: true, notes };
  const figures = await drawKind({ request, draws, options, visible, context });
  notes.push(
    ...new Set(
      figures.flatMap(({ name, figure }) => figure.notes.map((note) => `${name}: ${note}`)),
    ),
  );
  if (request.returnType === 'plotly')
    return {
      return_type: 'plotly',
      notes,
      plots: figures.map(({ name, figure }) => ({
        name,
        notes: figure.notes,
        ...figureJson(figure),
      })),
    };
  return drawPicture(request, figures, notes, await titleOf(context, objid));
}

interface Drawing {
  readonly request: PlotRequest;
  readonly draws: FigureDraws;
  readonly options: DrawOptions;
  readonly visible: VisibleDraws & { readonly share: ShareRow | null };
  readonly context: CoreContext;
}

async function drawKind(drawing: Drawing): Promise<readonly NamedFigure[]> {
  const { request, draws, options, visible, context } = drawing;
  const { kind, variables } = request;
  if (kind.of !== 'predictive' && kind.of !== 'loo')
    return drawFigures({ kind, variables }, draws, options);
  const refusal = refusalOf(kind, methodOf(draws.columns));
  if (refusal !== null) throw impossible(refusal);
  const data = await readObserved(context, visible);
  if (kind.of === 'predictive') return drawPredictive(request, kind.check, draws, data, options);
  const size = looSize(draws);
  if (size === 0) throw impossible('the program has no variable log_lik, the log likelihood');
  checkTogether(draws.variables.filter(isLogLik).length, size);
  const { loo, names, columns } = await readLoo(draws, visible, data);
  return [{ name: 'log_lik', figure: paretoKFigure(loo, { ...options, names, columns }) }];
}

const impossible = (reason: string) => notFound(`This plot is not possible: ${reason}.`);

/** Draws of other methods have predictions to check, unless they are one point, but cannot be reweighted. */
function refusalOf(kind: PlotKind, method: RunMethod): string | null {
  const usesLoo = kind.of === 'loo' || (kind.of === 'predictive' && kind.check === 'loo-pit');
  return usesLoo || method === 'optimize' ? looRefusal(method) : null;
}

/** Only a choice of the owner is noted, not one that this request made. */
function leftOutNotes(all: FigureDraws, drawn: FigureDraws, isChosen: boolean): string[] {
  const shown = new Set(drawn.chains.map(({ name }) => name));
  const missing = all.chains.flatMap(({ name }) => (shown.has(name) ? [] : [name]));
  if (isChosen || missing.length === 0) return [];
  return [asSentence(`${chainsText(missing)} ${missing.length === 1 ? 'is' : 'are'} left out`)];
}

async function drawPicture(
  { returnType, isDark }: PlotRequest,
  figures: readonly NamedFigure[],
  notes: readonly string[],
  title: string,
): Promise<PlotAnswer> {
  if (returnType === 'html')
    return { return_type: 'html', notes, html: plotPage({ title, figures, notes }) };
  const grid = figuresToSvg(
    figures.map(({ figure }) => figure),
    {
      palette: plotPalettes[isDark ? 'dark' : 'light'],
      cellWidth: 560,
      cellHeight: 300,
      columns: 2,
      fontFamily: returnType === 'png' ? 'DejaVu Sans' : undefined,
    },
  );
  if (returnType === 'svg')
    return { return_type: 'svg', notes, svg: grid.svg, width: grid.width, height: grid.height };
  const png = await renderPng(grid);
  return { return_type: 'png', notes, media_type: 'image/png', ...png };
}

async function titleOf({ pool }: CoreContext, objid: string): Promise<string> {
  const row = orNotFound(await findExperiment(pool, objid));
  return row.name || row.short_id;
}

/** By name (`chain#2`) or number from 1. */
function chooseChains(request: PlotRequest, draws: FigureDraws): string[] {
  return request.chains.map((wanted) => {
    const found = draws.chains.find(
      ({ name, index }) => name === wanted || String(index + 1) === wanted,
    );
    if (found !== undefined) return found.name;
    const names = draws.chains.map(({ name }) => name).slice(0, 20);
    throw invalidField(
      'parameters.plot_chain',
      `names ${wanted.slice(0, 60)}; this run has ${names.join(', ')}.`,
    );
  });
}

/** A variable's name, or an array's: `theta` means all of `theta[…]`. */
function chooseVariables(wanted: readonly string[], known: readonly string[]): string[] {
  if (wanted.length === 0) return [...known];
  const chosen = wanted.flatMap((name) => {
    const own = known.filter((variable) => variable === name || variable.startsWith(`${name}[`));
    if (own.length > 0) return own;
    throw invalidField(
      'parameters.plot_var',
      `names ${name.slice(0, 80)}, which this run does not have; its first variables are ${known.slice(0, 10).join(', ')}.`,
    );
  });
  return [...new Set(chosen)];
}

function neededVariables(
  needs: NonNullable<Extract<PlotKind, { of: 'variables' }>['needs']>,
  known: readonly string[],
): string[] {
  return needs.flatMap(({ is, orElse }) => {
    const found = known.filter(is);
    if (found.length === 0) throw impossible(orElse);
    return found;
  });
}

interface DrawOptions {
  readonly palette: PlotPalette;
  readonly alone: boolean;
  /** Notes on what is left out are added here. */
  readonly notes: string[];
}

interface DrawRequest {
  readonly kind: Exclude<PlotKind, { of: 'predictive' | 'loo' }>;
  readonly variables: readonly string[];
}

/** The pair is found by its names, or named by `plot_var`: `y_rep`, or `y_rep,y`. `plot_group` names the groups. */
async function drawPredictive(
  { variables, group }: PlotRequest,
  wanted: PredictiveCheck | 'first',
  draws: FigureDraws,
  data: ObservedData,
  { palette, alone, notes }: DrawOptions,
): Promise<NamedFigure[]> {
  if (data.variables === null) throw impossible(data.reason);
  const pair = choosePair(draws, data.variables, variables);
  if (pair === null)
    throw impossible(
      'no variable of the run is recognised as replicated data; name it y_rep for the data y, or name both in plot_var',
    );
  checkTogether(pair.replicated.variables.length, valuesOf(pair, draws));
  const run = await readPredictive(pair, draws, data.variables);
  const check = wanted === 'first' ? itemAt(checksOf[run.outcome], 0) : wanted;
  const name = `${pair.replicated.name}, ${pair.observed.name}`;
  const figureOf = (one: PredictiveRun) => predictiveFigure({ ...one, check }, { palette, alone });
  if (group === '') return [{ name, figure: figureOf(run) }];
  const groups = groupsNamed(group, groupings(pair.observed, data.variables));
  if (groups.length > mostGroups)
    notes.push(`the ${mostGroups} largest of ${groups.length} groups are shown`);
  return groups.slice(0, mostGroups).map((one) => ({
    name: `${name}, ${one.label}`,
    figure: figureOf(ofGroup(run, one)),
  }));
}

function groupsNamed(group: string, known: readonly DataVariable[]) {
  const by = known.find(({ name }) => name === group);
  if (by !== undefined) return groupsBy(by);
  const names = known.map(({ name }) => name).join(', ');
  throw invalidField(
    'parameters.plot_group',
    `names ${group.slice(0, 80)}, which does not divide the observations into groups; ${names === '' ? 'no variable of the data does' : `these do: ${names}`}.`,
  );
}

async function drawFigures(
  { kind, variables }: DrawRequest,
  draws: FigureDraws,
  { notes, ...options }: DrawOptions,
): Promise<NamedFigure[]> {
  if (kind.of === 'sampler') {
    const missing = kind.columns.filter((column) => !draws.columns.includes(column));
    if (missing.length > 0) throw notFound(`This run did not record ${missing.join(', ')}.`);
    const columns = await readAll(draws, kind.columns);
    return [{ name: itemAt(kind.columns, 0), figure: kind.draw(columns, options) }];
  }
  const needed = kind.of === 'variables' ? neededVariables(kind.needs ?? [], draws.variables) : [];
  const chosen = chooseVariables(variables, draws.variables).filter(
    (name) => !needed.includes(name),
  );
  const most = kind.of === 'variables' ? kind.most : maxSubplots;
  const shown = chosen.slice(0, most);
  if (chosen.length > shown.length)
    notes.push(`${shown.length} of ${chosen.length} variables are shown; name others in plot_var`);
  if (kind.of === 'variables') {
    const figure = kind.draw(await readAll(draws, [...shown, ...needed]), options);
    return [{ name: 'variables', figure }];
  }
  const figures: NamedFigure[] = [];
  for (const name of shown) {
    figures.push({ name, figure: kind.draw(await draws.read(name), options) });
    // Other requests are answered between two figures.
    await setImmediate();
  }
  return figures;
}

async function readAll(draws: FigureDraws, names: readonly string[]): Promise<FigureVariable[]> {
  checkTogether(names.length, names.length * draws.chains.length * draws.numDraws);
  const variables: FigureVariable[] = [];
  for (const name of names) variables.push(await draws.read(name));
  return variables;
}

function checkTogether(numVariables: number, values: number): void {
  if (values > maxTogether)
    throw limitExceeded(
      `${numVariables} variables together hold ${values} values, more than ${maxTogether}; choose fewer, or set n_iteration.`,
      { limit: 'plot_values', allowed: maxTogether },
    );
}
