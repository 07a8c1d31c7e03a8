/** What each experiment is worth and what it cost, in one table. */
import type { Summary } from '../../../contract/draws.ts';
import { formatDuration } from '../../ui/duration.ts';
import { formatCount, missing } from '../../ui/numbers.ts';
import { VerdictMark } from '../status/verdict-mark.tsx';
import classes from './compare.module.css';
import { RunHead } from './mark.tsx';
import type { ComparedRun } from './use-compared.ts';

/** Seconds that all chains sampled, warmup left out; null where the server does not tell. */
export function samplingSeconds(summary: Summary | null): number | null {
  const seconds = (summary?.chains ?? []).map((chain) => chain.sampling_seconds ?? null);
  if (seconds.length === 0 || seconds.includes(null)) return null;
  return seconds.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** "0.4 ms", "12 ms", "3.1 s": time of computing for one effective draw of the slowest variable. */
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
  ['Largest R-hat', ({ summary }) => summary?.verdict.rhat_max?.toFixed(3) ?? null],
  ['Lowest ESS bulk', ({ summary }) => countOf(summary?.verdict.ess_bulk_min)],
  ['Lowest ESS tail', ({ summary }) => countOf(summary?.verdict.ess_tail_min)],
  ['Divergences', ({ summary }) => countOf(summary?.verdict.divergences, summary)],
  ['Tree depth hits', ({ summary }) => countOf(summary?.verdict.treedepth_hits, summary)],
  [
    'Lowest E-BFMI',
    ({ summary }) =>
      summary?.verdict.ebfmi_min?.toFixed(2) ?? (summary === null ? null : notRecorded),
  ],
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

function countOf(value: number | null | undefined, summary?: Summary | null): string | null {
  if (value === null || value === undefined)
    return summary === null || summary === undefined ? null : notRecorded;
  return formatCount(value);
}

export function ChecksCard({ runs }: { runs: readonly ComparedRun[] }) {
  return (
    <section className={classes.card} aria-labelledby="compare-checks">
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
      <p className={classes.cardWords}>
        Time per effective draw: seconds that all chains sampled, warmup left out, over the lowest
        bulk ESS.
      </p>
    </section>
  );
}

/** The run's own verdict; where the server keeps none, that of its draws. */
export function RunVerdict({ run: { experiment, summary } }: { run: ComparedRun }) {
  if (experiment === null) return missing;
  if (experiment.meta?.verdict || summary === null) return <VerdictMark experiment={experiment} />;
  const meta = { ...experiment.meta, verdict: summary.verdict };
  return <VerdictMark experiment={{ ...experiment, meta }} />;
}
