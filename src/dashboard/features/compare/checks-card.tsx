/** The verdict and the cost of each experiment, in one table. */
import type { Summary } from '../../../contract/draws.ts';
import type { VerdictInfo } from '../../../contract/experiment.ts';
import { ebfmiFigure, essFigure, rhatFigure } from '../../../posterior/verdict-limits.ts';
import { Card } from '../../ui/card.tsx';
import { formatDuration } from '../../ui/duration.ts';
import { formatCount, missing } from '../../ui/numbers.ts';
import { runVerdict } from '../status/run-verdict.ts';
import { VerdictMark } from '../status/verdict-mark.tsx';
import classes from './compare.module.css';
import { RunHead } from './mark.tsx';
import type { ComparedRun } from './use-compared.ts';

/** Total sampling seconds over all chains, without warmup; null if the server does not report them. */
export function samplingSeconds(summary: Summary | null): number | null {
  const seconds = (summary?.chains ?? []).map((chain) => chain.sampling_seconds ?? null);
  if (seconds.length === 0 || seconds.includes(null)) return null;
  return seconds.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** "0.4 ms", "12 ms", "3.1 s": computing time per effective draw of the slowest variable. */
export function timePerDraw(summary: Summary | null): string | null {
  const seconds = samplingSeconds(summary);
  const ess = summary?.verdict.ess_bulk_min ?? null;
  if (seconds === null || ess === null || !(ess > 0) || seconds === 0) return null;
  const each = seconds / ess;
  if (each >= 1) return formatDuration(each);
  const ms = 1000 * each;
  return ms < 0.1
    ? `${(1000 * ms).toFixed(0)} µs`
    : `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

const notRecorded = 'Not recorded';

const rows: readonly [string, (run: ComparedRun) => string | null][] = [
  ['Largest R-hat', (run) => figureOf(verdictOfRun(run)?.rhat_max, rhatFigure)],
  ['Lowest ESS bulk', (run) => essOf(run, 'ess_bulk_min')],
  ['Lowest ESS tail', (run) => essOf(run, 'ess_tail_min')],
  ['Divergences', (run) => recorded(verdictOfRun(run), 'divergences', formatCount)],
  ['Tree depth hits', (run) => recorded(verdictOfRun(run), 'treedepth_hits', formatCount)],
  ['Lowest E-BFMI', (run) => recorded(verdictOfRun(run), 'ebfmi_min', ebfmiFigure)],
  [
    'Wall clock',
    ({ experiment }) =>
      experiment?.meta?.elapsed_seconds ? formatDuration(experiment.meta.elapsed_seconds) : null,
  ],
  [
    'Sampling, all chains',
    ({ summary }) => {
      const seconds = samplingSeconds(summary);
      return seconds === null ? null : formatDuration(seconds);
    },
  ],
  [
    'Time per effective draw',
    ({ summary }) => timePerDraw(summary) ?? (summary === null ? null : notRecorded),
  ],
];

/** The run's verdict, or that of its draws while it is running or if the server sends none. */
export function verdictOfRun({ experiment, summary }: ComparedRun): VerdictInfo | null {
  const said = experiment === null ? null : runVerdict(experiment, summary?.verdict);
  return said?.verdict ?? summary?.verdict ?? null;
}

function figureOf(value: number | null | undefined, format: (value: number) => string) {
  return value === null || value === undefined ? null : format(value);
}

function essOf(run: ComparedRun, name: 'ess_bulk_min' | 'ess_tail_min'): string | null {
  const numChains = run.summary?.n_chains ?? run.experiment?.n_chains ?? 1;
  return figureOf(verdictOfRun(run)?.[name], (value) => essFigure(value, numChains));
}

function recorded(
  verdict: VerdictInfo | null,
  name: 'divergences' | 'treedepth_hits' | 'ebfmi_min',
  format: (value: number) => string,
): string | null {
  return verdict === null ? null : (figureOf(verdict[name], format) ?? notRecorded);
}

export function ChecksCard({ runs }: { runs: readonly ComparedRun[] }) {
  return (
    <Card className={classes.card} aria-labelledby="compare-checks">
      <header className={classes.cardHead}>
        <h2 id="compare-checks">Checks and cost</h2>
      </header>
      {/* a scrolling region must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label="Checks and cost by experiment">
        <table className={classes.table} data-numbers data-wraps>
          <RunHead title="Check" runs={runs} />
          <tbody>
            <tr>
              <th scope="row">Verdict</th>
              {runs.map((run) => (
                <td key={run.id}>
                  <RunVerdict run={run} />
                </td>
              ))}
            </tr>
            {rows.map(([title, value]) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                {runs.map((run) => (
                  <td key={run.id}>{value(run) ?? missing}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={classes.cardText}>
        Time per effective draw: seconds of sampling, all chains together, without warmup, divided
        by the lowest bulk ESS.
      </p>
    </Card>
  );
}

/** The run's own verdict; if the server stores none, that of its draws. */
export function RunVerdict({ run: { experiment, summary } }: { run: ComparedRun }) {
  if (experiment === null) return missing;
  return <VerdictMark experiment={experiment} computed={summary?.verdict} />;
}
