/** Predictive checks in a report, where the run replicates its data. */
import { setImmediate } from 'node:timers/promises';
import { pagePalette } from '../../figures/page-palette.ts';
import { predictiveFigure } from '../../figures/predictive-figure.ts';
import { checksOf, type PredictiveCheck } from '../../figures/predictive-frame.ts';
import { kindOf } from '../../posterior/variable-kinds.ts';
import { formatNumber } from '../../shared/readable-numbers.ts';
import type { ObservedData } from '../results/observed-data.ts';
import { finished, type Html, html } from './html-text.ts';
import { observedMarks } from './observed-marks.ts';
import { choosePair, readPredictive, valuesOf } from './predictive-draws.ts';
import type { ReportFigures } from './report-figures.ts';

/** Values of replicated data and log likelihoods that are read at most. */
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

/** Marked, so that a share without the data leaves it out (`withoutObserved`). */
export async function predictivePart(
  { numbers, draws, rows, leftOut }: ReportFigures,
  data: ObservedData,
): Promise<Html | null> {
  const hasReplicated = rows.some((row) => kindOf(row) === 'replications');
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
    (check, i) => i === 0 || check === 'statistics' || (check === 'loo-pit' && run.logLik),
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
  const title = run.isPrior === true ? 'Prior predictive checks' : 'Predictive checks';
  return html`${finished(observedMarks.begin)}<h2>${title}</h2>
<p class="dim">The data <code>${pair.observed.name}</code> (${formatNumber(run.y.length, 0)} values) beside <code>${pair.replicated.name}</code>, what the model generates in their place.</p>
<div class="grid">${blocks}</div>${finished(observedMarks.end)}`;
}
