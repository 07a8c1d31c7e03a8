/** Predictive checks in a report, if the run replicates its data. */
import { setImmediate } from 'node:timers/promises';
import { pagePalette } from '../../figures/page-palette.ts';
import { predictiveFigure } from '../../figures/predictive-figure.ts';
import { checksOf, type PredictiveCheck } from '../../figures/predictive-frame.ts';
import { looRefusal } from '../../posterior/loo-refusal.ts';
import {
  type DataVariable,
  groupings,
  groupsBy,
  mostGroups,
} from '../../posterior/predictive/pairing.ts';
import { methodOf } from '../../posterior/run-method.ts';
import { kindOf } from '../../posterior/variable-kinds.ts';
import { itemAt } from '../../shared/items.ts';
import { formatNumber } from '../../shared/readable-numbers.ts';
import type { ObservedData } from '../results/observed-data.ts';
import { finished, type Html, html } from './html-text.ts';
import { observedMarks } from './observed-marks.ts';
import {
  choosePair,
  ofGroup,
  type PredictiveRun,
  readPredictive,
  valuesOf,
} from './predictive-draws.ts';
import type { ReportFigures } from './report-figures.ts';

/** Largest number of replicated values and log likelihoods that are read. */
const maxValues = 16 * 2 ** 20;

const labels: Readonly<Record<PredictiveCheck, string>> = {
  density: 'Densities',
  rootogram: 'Rootogram',
  calibration: 'Calibration',
  ecdf: 'Distribution functions',
  bars: 'Frequencies',
  intervals: 'Intervals',
  statistics: 'Test statistics',
  'loo-pit': 'LOO-PIT',
};

/** Marked, so that a share without the data omits it (`withoutObserved`). */
export async function predictivePart(
  { numbers, draws, rows, leftOut }: ReportFigures,
  data: ObservedData,
): Promise<Html | null> {
  const hasReplicated = rows.some((row) => kindOf(row) === 'replications');
  const method = methodOf(draws.columns);
  const refusal = looRefusal(method);
  if (method === 'optimize') {
    if (hasReplicated) leftOut.push(`No predictive checks: ${refusal}.`);
    return null;
  }
  if (data.variables === null) {
    if (hasReplicated) leftOut.push(`No predictive checks: ${data.reason}.`);
    return null;
  }
  const pair = choosePair(draws, data.variables);
  if (pair === null) {
    if (hasReplicated)
      leftOut.push(
        'No predictive checks: no data variable has as many values as the replicated data.',
      );
    return null;
  }
  const values = valuesOf(pair, draws);
  if (values > maxValues) {
    leftOut.push(`No predictive checks: they need ${values} values, more than ${maxValues}.`);
    return null;
  }
  const run = await readPredictive(pair, draws, data.variables);
  await setImmediate();
  const checks = checksOf[run.outcome].filter(
    (check, i) =>
      i === 0 || check === 'statistics' || (check === 'loo-pit' && run.logLik && refusal === null),
  );
  const names = `${pair.observed.name} and ${pair.replicated.name}`;
  const blocks: Html[] = [];
  for (const check of checks) {
    const isWide = check === 'statistics';
    const options = { palette: pagePalette, alone: true, width: isWide ? 740 : 400 };
    blocks.push(
      numbers.block(
        predictiveFigure({ ...run, check }, options),
        `${labels[check]} of ${names}`,
        isWide,
      ),
    );
    await setImmediate();
  }
  const groups = await groupBlocks(run, groupings(pair.observed, data.variables), {
    numbers,
    leftOut,
  });
  const title = run.isPrior === true ? 'Prior predictive checks' : 'Predictive checks';
  return html`${finished(observedMarks.begin)}<h2>${title}</h2>
<p class="dim">The data <code>${pair.observed.name}</code> (${formatNumber(run.y.length, 0)} values) beside <code>${pair.replicated.name}</code>, what the model generates in their place.</p>
<div class="grid">${blocks}</div>${groups}${finished(observedMarks.end)}`;
}

/** Data variables by whose values the check is grouped. */
const mostGroupings = 2;

/** The first check for each group, if the data have groups. */
async function groupBlocks(
  run: PredictiveRun,
  by: readonly DataVariable[],
  { numbers, leftOut }: Pick<ReportFigures, 'numbers' | 'leftOut'>,
): Promise<Html[]> {
  const check = itemAt(checksOf[run.outcome], 0);
  if (by.length > mostGroupings)
    leftOut.push(
      `Predictive checks by ${by
        .slice(mostGroupings)
        .map(({ name }) => name)
        .join(', ')}.`,
    );
  const parts: Html[] = [];
  for (const variable of by.slice(0, mostGroupings)) {
    const groups = groupsBy(variable);
    const shown = groups.slice(0, mostGroups);
    if (groups.length > shown.length)
      leftOut.push(
        `Predictive checks by ${variable.name} show the ${shown.length} largest of ${groups.length} groups.`,
      );
    const blocks: Html[] = [];
    for (const group of shown) {
      const figure = predictiveFigure(
        { ...ofGroup(run, group), check },
        { palette: pagePalette, alone: true, width: 400 },
      );
      blocks.push(numbers.block(figure, `${labels[check]}, ${group.label}`));
      await setImmediate();
    }
    parts.push(html`<h3>By <code>${variable.name}</code></h3><div class="grid">${blocks}</div>`);
  }
  return parts;
}
