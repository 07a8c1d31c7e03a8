/** A calibration in a report: the ranks of each quantity as pictures, and the findings as a table. */
import { setImmediate } from 'node:timers/promises';
import type { WireCalibration } from '../../contract/draws.ts';
import { pagePalette } from '../../figures/page-palette.ts';
import { simulationRankFigure } from '../../figures/simulation-rank-figure.ts';
import { shapeName } from '../../posterior/judge-calibration.ts';
import { shownName } from '../../posterior/variable-labels.ts';
import { formatNumber } from '../../shared/readable-numbers.ts';
import { type Html, html } from './html-text.ts';
import type { ReportFigures } from './report-figures.ts';

/** Number of quantities in pictures, and of rows in the table. */
const mostPictures = 12;
const mostRows = 200;

type Quantity = WireCalibration['quantities'][number];

export async function calibrationPart(
  { numbers, leftOut }: Pick<ReportFigures, 'numbers' | 'leftOut'>,
  { chains, asked, probability, quantities }: WireCalibration,
): Promise<Html> {
  const worstFirst = quantities.toSorted((a, b) => (b.distance ?? 0) - (a.distance ?? 0));
  const drawn = worstFirst.filter(({ position }) => position !== undefined).slice(0, mostPictures);
  if (drawn.length < quantities.length)
    leftOut.push(`Ranks are drawn for ${drawn.length} of ${quantities.length} quantities.`);
  if (quantities.length > mostRows)
    leftOut.push(`The table shows the worst ${mostRows} of ${quantities.length} quantities.`);
  const pictures: Html[] = [];
  for (const { variable, label, state, position = [] } of drawn) {
    const positions = Float64Array.from(position.filter((value) => value !== null));
    const name = shownName({ variable, ...(label === undefined ? {} : { label }) });
    const figure = simulationRankFigure(
      { variable, label, positions, probability, state },
      { palette: pagePalette, alone: true },
    );
    pictures.push(numbers.block(figure, `ECDF difference of the ranks of ${name}`));
    await setImmediate();
  }
  return html`<h2>Ranks of the true values</h2>
<p class="dim">${chains.length} of ${asked} simulations. If program and sampler are right, all lines stay in their bands with 95 % probability.</p>
<div class="grid">
${pictures}</div>
<h2>Quantities</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">quantity</th><th scope="col">distance</th><th scope="col">contraction</th><th scope="col">mean z</th><th scope="col">sd of z</th><th scope="col">posterior</th></tr></thead>
<tbody>
${worstFirst.slice(0, mostRows).map(rowOf)}</tbody>
</table></div>`;
}

function rowOf(quantity: Quantity): Html {
  const { variable, distance, contraction, z_mean: mean, z_sd: sd, state } = quantity;
  const number = (value: number | null) => html`<td>${formatNumber(value, 2)}</td>`;
  const found =
    state === 'passed' ? html`<td>uniform</td>` : html`<td class="bad">${shapeName(quantity)}</td>`;
  return html`<tr><td>${quantity.label ?? variable}</td>${number(distance)}${number(contraction)}${number(mean)}${number(sd)}${found}</tr>
`;
}
