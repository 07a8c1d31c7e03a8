/** The parts of a report as HTML: head, verdict, settings, table. */
import type { Summary, SummaryRow } from '../../contract/draws.ts';
import type { Experiment, VerdictInfo } from '../../contract/experiment.ts';
import { decimalsForMcse } from '../../posterior/decimals.ts';
import {
  checkSentence,
  failedChecks,
  headlineOf,
  remarksOf,
  sentenceOf,
} from '../../posterior/verdict-label.ts';
import { essFigure, rhatFigure, verdictLimits } from '../../posterior/verdict-limits.ts';
import { formatDuration } from '../../shared/durations.ts';
import { formatCount, formatNumber } from '../../shared/readable-numbers.ts';
import { type Html, html } from './html-text.ts';
import { faultsOf } from './report-order.ts';

export function headPart(experiment: Experiment, summary: Summary): Html {
  const { meta } = experiment;
  const took = meta?.elapsed_seconds;
  // what follows are lines of a listing or a stack
  const [error = ''] = meta?.error?.message.split('\n') ?? [];
  const facts: [string, string][] = [
    ['Model', experiment.model_name || 'unknown'],
    ['Data', meta?.data_name || 'none'],
    ['Draws', drawsText(summary)],
    ['Started', formatDate(meta?.started_at ?? experiment.created_at)],
    ['Took', typeof took === 'number' ? formatDuration(took) : 'unknown'],
    ['Status', statusText(experiment)],
    ['Experiment', experiment.short_id],
  ];
  return html`<h1>${experiment.name || experiment.short_id}</h1>
<div class="facts">${facts.map(([name, value]) => html`<span>${name} <b>${value}</b></span>`)}</div>
${error !== '' && html`<p>${error}</p>`}`;
}

/** "3 chains × 1 608", followed by the total if not all draws are used. */
function drawsText({ n_chains: numChains, n_samples: each, chains }: Summary): string {
  const total = chains.reduce((sum, chain) => sum + (chain.n_samples ?? each), 0);
  const used = numChains * each;
  const text = `${numChains} ${numChains === 1 ? 'chain' : 'chains'} × ${formatCount(each)}`;
  return total > used ? `${text} of ${formatCount(total)}` : text;
}

function formatDate(time: string | null | undefined): string {
  return time ? `${time.slice(0, 10)} ${time.slice(11, 16)} UTC` : 'unknown';
}

/** In the words of a shared run's page. */
function statusText({ status, meta }: Experiment): string {
  if (status === 'ERR' || meta?.error) return 'Error';
  if (status === 'NEW') return 'New';
  if (status !== 'FIN') return meta?.action === 'paused' ? 'Paused' : 'Running';
  if (meta?.action !== 'stopped') return 'Finished';
  const limit = meta.settings?.time_limit;
  return meta.time_limit_reached === true && typeof limit === 'number'
    ? `Stopped at the time limit of ${formatDuration(limit)}, draws kept`
    : 'Stopped';
}

/** The verdict with what failed, in the order of the checks, and what is missing. */
export function verdictPart(verdict: VerdictInfo): Html {
  const failed = failedChecks(verdict.checks).map(checkSentence);
  const passed = 'Every check passed: R-hat, effective sample sizes, and what the sampler reports.';
  const isCalibration = verdict.checks?.some(({ name }) => name === 'calibration') === true;
  const shown = verdict.state === 'good' ? (isCalibration ? [] : [passed]) : failed;
  const details = [...shown, ...remarksOf(verdict)];
  const isFailed = verdict.state === 'warn' || verdict.state === 'bad';
  return html`<section class="verdict" data-state="${verdict.state}">
<strong>${sentenceOf(verdict)}</strong>${isFailed && html` ${headlineOf(verdict)}.`}
${details.length > 0 && html`<ul>${details.map((line) => html`<li>${line}</li>`)}</ul>`}
</section>`;
}

export function settingsPart(experiment: Experiment): Html | null {
  const settings = Object.entries(experiment.meta?.settings ?? {}).filter(
    ([, value]) => value !== null && value !== '' && typeof value !== 'object',
  );
  if (settings.length === 0) return null;
  return html`<h2>Settings</h2>
<div class="facts">${settings.map(([name, value]) => html`<span>${name} <b>${String(value).slice(0, 200)}</b></span>`)}</div>`;
}

const heads = [
  'mean',
  'MCSE',
  'sd',
  'median',
  'q5',
  'q95',
  'R-hat (rank)',
  'ESS bulk',
  'ESS tail',
  'checks',
];

/** Rows in the given order; a bad number is coloured, and the last cell names the fault. */
export function tablePart(rows: readonly SummaryRow[], numChains: number): Html {
  // draws that no Markov chain made have neither
  const hasLimits = rows.some(({ rhat, ess_bulk }) => rhat !== null || ess_bulk !== null);
  const limits = `Worst first. Limits: R-hat ${verdictLimits.rhat.warn}, effective sample size ${verdictLimits.essPerChain.warn * numChains}.`;
  return html`<h2>Summary</h2>
${hasLimits && html`<p class="dim">${limits}</p>`}
<div class="scroll"><table>
<thead><tr><th scope="col">variable</th>${heads.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => tableRow(row, numChains))}</tbody>
</table></div>`;
}

/** Shows the label if there is one, with the name as its tooltip. */
function nameCell({ variable, label }: SummaryRow): Html {
  return label === undefined
    ? html`<td>${variable}</td>`
    : html`<td title="${variable}">${label}</td>`;
}

function tableRow(row: SummaryRow, numChains: number): Html {
  const decimals = Math.min(6, decimalsForMcse(row.mcse_mean, row.mean ?? 0));
  const number = (value: number | null) => formatNumber(value, decimals);
  const faults = faultsOf(row, numChains);
  const mark = (text: string, isBad: boolean) =>
    isBad ? html`<td class="bad">${text}</td>` : html`<td>${text}</td>`;
  const has = (fault: string) => faults.includes(fault);
  const faultText = row.constant ? 'constant' : faults.length === 0 ? 'ok' : faults.join(', ');
  return html`<tr>${nameCell(row)}<td>${number(row.mean)}</td><td>${formatNumber(row.mcse_mean, Math.max(2, decimals))}</td><td>${number(row.sd)}</td><td>${number(row.median)}</td><td>${number(row.q5)}</td><td>${number(row.q95)}</td>${mark(rhatFigure(row.rhat), has('R-hat high'))}${mark(essFigure(row.ess_bulk, numChains), has('bulk ESS low'))}${mark(essFigure(row.ess_tail, numChains), has('tail ESS low'))}${mark(faultText, faults.length > 0)}</tr>
`;
}
