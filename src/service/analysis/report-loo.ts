/** Leave-one-out in a report: the estimate, and the overly influential observations with their rows of data. */
import { paretoKFigure } from '../../figures/loo-figure.ts';
import { pagePalette } from '../../figures/page-palette.ts';
import { tooFewDrawsText } from '../../posterior/loo.ts';
import { looRefusal } from '../../posterior/loo-refusal.ts';
import { methodOf } from '../../posterior/run-method.ts';
import { itemAt } from '../../shared/items.ts';
import { formatCount, formatNumber } from '../../shared/readable-numbers.ts';
import type { ObservedData } from '../results/observed-data.ts';
import type { VisibleDraws } from '../results/visible-draws.ts';
import { finished, type Html, html } from './html-text.ts';
import { observedMarks } from './observed-marks.ts';
import { maxLogLik, type ReportFigures } from './report-figures.ts';
import { looSize, type RunLoo, readLoo } from './run-loo.ts';

/** Number of observations listed, worst first. */
const mostRows = 100;

/** If the run has pointwise log likelihoods: `log_lik`, `log_lik[1]`, … */
export async function looPart(
  { numbers, draws, leftOut }: ReportFigures,
  visible: Pick<VisibleDraws, 'labels' | 'matched'>,
  data: ObservedData,
): Promise<Html | null> {
  const size = looSize(draws);
  const refusal = looRefusal(methodOf(draws.columns));
  if (size > 0 && refusal !== null) {
    leftOut.push(`No leave-one-out: ${refusal}.`);
    return null;
  }
  if (size === 0) {
    leftOut.push('No leave-one-out: the program has no variable log_lik.');
    return null;
  }
  if (size > maxLogLik) {
    leftOut.push(`No leave-one-out: log_lik has ${size} values, more than ${maxLogLik}.`);
    return null;
  }
  const run = await readLoo(draws, visible, data);
  const { loo, names } = run;
  const high = loo.num_high_k;
  const tooFew = tooFewDrawsText(loo);
  const verdict =
    tooFew !== null
      ? `${tooFew}: the estimate is not reliable.`
      : high === 0
        ? `All ${names.length} Pareto k are at most ${loo.threshold.toFixed(2)}: the estimate can be trusted.`
        : `${high} of ${names.length} Pareto k are above ${loo.threshold.toFixed(2)}: the estimate is not reliable for them.`;
  const numMatched = Object.keys(visible.matched).length;
  const improved =
    numMatched === 0
      ? ''
      : ` Observations improved by moment matching: ${formatCount(numMatched)}.`;
  const line = (name: string, value: number, error: number) =>
    html`<tr><td>${name}</td><td>${formatNumber(value, 1)}</td><td>${formatNumber(error, 1)}</td></tr>`;
  return html`<h2>Leave-one-out</h2>
<p>${verdict}${improved}</p>
<div class="grid"><div class="scroll"><table>
<thead><tr><th scope="col">estimate</th><th scope="col">value</th><th scope="col">standard error</th></tr></thead>
<tbody>${line('elpd_loo', loo.elpd_loo, loo.se_elpd_loo)}${line('p_loo', loo.p_loo, loo.se_p_loo)}${line('looic', loo.looic, loo.se_looic)}</tbody>
</table></div>${numbers.block(paretoKFigure(loo, { palette: pagePalette, alone: true, names }), 'Pareto k by observation')}</div>
${highRows(run)}`;
}

/** Marked where it shows data, so that a share without the data omits it. */
function highRows({ loo, names, columns }: RunLoo): Html | null {
  const { pareto_k: k, pareto_k_before: before, threshold, pointwise } = loo;
  const high = [...names.keys()]
    .filter((i) => !(itemAt(k, i) <= threshold) || (before !== undefined && before[i] !== k[i]))
    .toSorted((a, b) => itemAt(k, b) - itemAt(k, a))
    .slice(0, mostRows);
  if (high.length === 0) return null;
  const cell = (value: number | string) =>
    html`<td>${typeof value === 'number' ? formatNumber(value, 4) : value}</td>`;
  const table = html`<div class="scroll"><table>
<thead><tr><th scope="col">observation</th><th scope="col">Pareto k</th>${before !== undefined && html`<th scope="col">k before matching</th>`}<th scope="col">elpd</th>${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${high.map((i) => html`<tr><td>${itemAt(names, i)}</td><td>${formatNumber(itemAt(k, i), 2)}</td>${before !== undefined && html`<td>${formatNumber(itemAt(before, i), 2)}</td>`}<td>${formatNumber(itemAt(pointwise.elpd_loo, i), 2)}</td>${columns.map(({ values }) => cell(itemAt(values, i)))}</tr>`)}</tbody>
</table></div>`;
  return columns.length === 0
    ? table
    : html`${finished(observedMarks.begin)}${table}${finished(observedMarks.end)}`;
}
