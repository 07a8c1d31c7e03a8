/** The default analyzer: a self-contained page that says how far a run can be trusted, worst first. */

import type { Summary, WireCalibration } from '../../contract/draws.ts';
import type { Experiment } from '../../contract/experiment.ts';
import { methodOf } from '../../posterior/run-method.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { notFound } from '../http/service-error.ts';
import { viewExperiment } from '../results/experiment-view.ts';
import { readObserved } from '../results/observed-data.ts';
import { viewSummary } from '../results/summary.ts';
import { openDraws } from '../results/visible-draws.ts';
import { openFigureDraws } from './figure-draws.ts';
import { type Html, html } from './html-text.ts';
import { pageOf } from './plot-page.ts';
import { calibrationPart } from './report-calibration.ts';
import {
  FigureNumbers,
  forestPart,
  type ReportFigures,
  samplerPart,
  sensitivityPart,
  variableParts,
} from './report-figures.ts';
import { looPart } from './report-loo.ts';
import { worstFirst } from './report-order.ts';
import { headPart, settingsPart, tablePart, verdictPart } from './report-parts.ts';
import { predictivePart } from './report-predictive.ts';
import { programPart } from './report-program.ts';

/** Rows in the table. */
const maxRows = 200;

export interface ReportOptions {
  /**
   * Also includes the program, if the viewer may see it. Not in stored reports: those become part of shares, and the
   * owner decides about the program separately.
   */
  readonly program?: boolean;
}

/** The page as text, with what `viewer` may see of the experiment. Throws `ServiceError`. */
export async function makeReport(
  context: CoreContext,
  viewer: Viewer,
  experimentId: string,
  options: ReportOptions = {},
): Promise<string> {
  const place = { objid: experimentId, viewer, shareId: '', baseUrl: '' };
  const experiment = await viewExperiment(context, place);
  const request = { objid: experimentId, operation: 'summary', viewer, shareId: '' } as const;
  const visible = await openDraws(context, request);
  const summary = await viewSummary(context, visible);
  if (summary.calibration !== undefined) {
    const program = options.program ? await programPart(context, experiment, visible) : null;
    return calibrationReport(experiment, summary, summary.calibration, program);
  }
  const draws = await openFigureDraws(context, visible);
  if (draws.chains.length === 0 || summary.variables.length === 0)
    throw notFound('This run has no draws to report on.');
  const rows = worstFirst(summary.variables, summary.n_chains);
  const figures: ReportFigures = {
    numbers: new FigureNumbers(),
    draws,
    rows,
    summary,
    settings: experiment.meta?.settings ?? {},
    leftOut: [],
  };
  if (rows.length > maxRows)
    figures.leftOut.push(`The table shows the worst ${maxRows} of ${rows.length} variables.`);
  const data = await readObserved(context, visible);
  const isOptimum = methodOf(draws.columns) === 'optimize';
  const parts: (Html | null)[] = [
    headPart(experiment, summary),
    verdictPart(experiment.meta?.verdict ?? summary.verdict),
    tablePart(rows.slice(0, maxRows), summary.n_chains),
    // a point has no interval, density or sensitivity
    ...(isOptimum
      ? []
      : [forestPart(figures), await variableParts(figures), await samplerPart(figures)]),
    await looPart(figures, visible, data),
    isOptimum ? null : await sensitivityPart(figures),
    await predictivePart(figures, data),
    settingsPart(experiment),
    options.program ? await programPart(context, experiment, visible) : null,
  ];
  const title = `Report on ${experiment.name || experiment.short_id}`;
  return pageOf(title, html`${parts}${leftOutPart(figures.leftOut)}${footPart()}`);
}

async function calibrationReport(
  experiment: Experiment,
  summary: Summary,
  calibration: WireCalibration,
  program: Html | null,
): Promise<string> {
  const numbers = new FigureNumbers();
  const leftOut: string[] = [];
  const parts: (Html | null)[] = [
    headPart(experiment, summary),
    verdictPart(experiment.meta?.verdict ?? summary.verdict),
    await calibrationPart({ numbers, leftOut }, calibration),
    settingsPart(experiment),
    program,
  ];
  const title = `Report on ${experiment.name || experiment.short_id}`;
  const foot = html`<footer>Statistics: simulation-based calibration (Talts et al. 2018; Modrák et al. 2023), bands of the ECDF (Säilynoja et al. 2022), contraction and z-scores (Schad et al. 2021).</footer>`;
  return pageOf(title, html`${parts}${leftOutPart(leftOut)}${foot}`);
}

function leftOutPart(leftOut: readonly string[]): Html | null {
  if (leftOut.length === 0) return null;
  return html`<h2>Not in this report</h2><ul class="left-out">${leftOut.map((line) => html`<li>${line}</li>`)}</ul>`;
}

function footPart(): Html {
  return html`<footer>Statistics: rank-normalised split R-hat and effective sample sizes (Vehtari et al. 2021), E-BFMI (Betancourt 2016), rank bands (Säilynoja et al. 2022), PSIS leave-one-out (Vehtari et al. 2017, 2024).</footer>`;
}
