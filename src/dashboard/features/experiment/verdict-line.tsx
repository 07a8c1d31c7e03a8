/** What the draws are worth, in one honest line: worst first, each problem a link to what shows it. */
import { Button, UnstyledButton } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowRight,
  IconCircleCheck,
  IconHourglass,
  IconPlayerPlay,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Summary } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { type FailedCheck, judge, type Verdict } from '../../../posterior/verdict.ts';
import { formatCount } from '../../ui/numbers.ts';
import classes from './experiment.module.css';
import { settingNumber } from './run-facts.ts';

/** Where a failed check is shown. */
export interface CheckTarget {
  readonly tab: 'traces' | 'summary';
  readonly variable: string | null;
}

export interface VerdictLineProps {
  readonly experiment: Experiment;
  readonly summary: Summary | null;
  readonly isLive: boolean;
  readonly onOpen: (target: CheckTarget) => void;
  /** Offers the likely mend; absent where nothing can be run (snapshots). */
  readonly onRunAgain?: (change: Record<string, unknown>) => void;
}

/** The verdict of a summary as the server sent it. */
export function verdictOf(summary: Summary): Verdict {
  const { verdict } = summary;
  const ebfmi = summary.chains.map((chain) => chain.ebfmi ?? Number.NaN);
  return judge({
    rows: summary.variables,
    numChains: summary.n_chains,
    numDraws: summary.n_samples,
    sampler: {
      divergences: verdict.divergences ?? null,
      treedepthHits: verdict.treedepth_hits ?? null,
      ebfmi: ebfmi.every(Number.isNaN) ? null : ebfmi,
    },
  });
}

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconAlertCircle,
  unknown: IconHourglass,
};

export function VerdictLine({ experiment, summary, isLive, onOpen, onRunAgain }: VerdictLineProps) {
  if (experiment.status === 'ERR') return <FailureLine experiment={experiment} />;
  if (experiment.status === 'NEW')
    return (
      <Line
        tone="unknown"
        title={waitingWords(experiment)}
        detail="Draws appear here as soon as the chains start."
      />
    );
  if (summary === null)
    return <Line tone="unknown" title="Too early to tell." detail="No draws yet." />;
  const verdict = verdictOf(summary);
  if (isLive)
    return <Line tone="unknown" title="Too early to tell." detail={soFar(summary, verdict)} />;
  const Icon = icons[verdict.state];
  const mend = verdict.failed.some((check) => check.check === 'divergences')
    ? mendFor(experiment)
    : null;
  return (
    <section
      className={classes.verdict}
      data-tone={verdict.state}
      aria-label="Verdict"
      role="status"
    >
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <div className={classes.verdictWords}>
        <p>
          <strong>{verdict.sentence}</strong>{' '}
          <span className={classes.dim}>{explain(verdict, summary)}</span>
        </p>
        {verdict.failed.length > 0 && (
          <ul className={classes.checks}>
            {verdict.failed.map((check) => (
              <li key={check.check}>
                <UnstyledButton className={classes.check} onClick={() => onOpen(targetOf(check))}>
                  {check.message}
                  <IconArrowRight size={13} stroke={1.6} aria-hidden="true" />
                </UnstyledButton>
              </li>
            ))}
          </ul>
        )}
      </div>
      {mend !== null && onRunAgain !== undefined ? (
        <Button
          leftSection={<IconPlayerPlay size={16} stroke={1.6} />}
          onClick={() => onRunAgain({ adapt_delta: mend })}
        >
          Run again with adapt_delta {mend}
        </Button>
      ) : (
        <Evidence verdict={verdict} />
      )}
    </section>
  );
}

function Line({
  tone,
  title,
  detail,
  children,
}: {
  tone: string;
  title: string;
  detail: string;
  children?: ReactNode;
}) {
  const Icon = tone === 'bad' ? IconAlertCircle : IconHourglass;
  return (
    <section className={classes.verdict} data-tone={tone} aria-label="Verdict" role="status">
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <div className={classes.verdictWords}>
        <p>
          <strong>{title}</strong> <span className={classes.dim}>{detail}</span>
        </p>
        {children}
      </div>
    </section>
  );
}

function FailureLine({ experiment }: { experiment: Experiment }) {
  const error = experiment.meta?.error;
  const kept =
    experiment.n_samples > 0
      ? `The ${formatCount(experiment.n_samples)} draws a chain that were made are kept.`
      : 'No draws were made.';
  const message = error?.message ?? 'The server did not say why. The log may.';
  const [first, ...rest] = message.split('\n');
  return (
    <Line tone="bad" title={first} detail={kept}>
      {rest.length > 0 && <pre className={classes.failure}>{rest.join('\n')}</pre>}
    </Line>
  );
}

function waitingWords(experiment: Experiment): string {
  const place = experiment.meta?.queue_place;
  return place === null || place === undefined
    ? 'Waiting to start.'
    : `Waiting to start, place ${place} in the queue.`;
}

function soFar(summary: Summary, verdict: Verdict): string {
  const draws = `${formatCount(summary.n_samples * summary.n_chains)} draws in.`;
  const worst = verdict.failed.find((check) => check.check === 'rhat');
  return worst === undefined ? draws : `${worst.message}. ${draws}`;
}

function explain(verdict: Verdict, summary: Summary): string {
  const size = `${summary.n_chains} × ${formatCount(summary.n_samples)} draws`;
  if (verdict.state === 'good') return `All checks passed on ${size}.`;
  if (verdict.failed.length === 0) return `${size}.`;
  return `${verdict.failed.length === 1 ? '1 check' : `${verdict.failed.length} checks`} failed, worst first.`;
}

function targetOf(check: FailedCheck): CheckTarget {
  const inTable = check.check === 'ess_bulk' || check.check === 'ess_tail';
  return { tab: inTable ? 'summary' : 'traces', variable: check.variable };
}

/** A step towards 1 that people take: .8 → .95 → .99; null when there is none left. */
function mendFor(experiment: Experiment): number | null {
  const used = settingNumber(experiment, 'adapt_delta') ?? 0.8;
  return [0.95, 0.99, 0.999].find((delta) => delta > used) ?? null;
}

function Evidence({ verdict }: { verdict: Verdict }) {
  const ess = [verdict.ess_bulk_min, verdict.ess_tail_min].filter((value) => value !== null);
  return (
    <p className={classes.evidence}>
      {verdict.rhat_max !== null && <span>R-hat up to {verdict.rhat_max.toFixed(3)}</span>}
      {ess.length > 0 && <span>ESS from {formatCount(Math.round(Math.min(...ess)))}</span>}
      {verdict.divergences !== null && <span>{formatCount(verdict.divergences)} divergences</span>}
      {verdict.treedepth_hits !== null && (
        <span>{formatCount(verdict.treedepth_hits)} tree depth hits</span>
      )}
      {verdict.ebfmi_min !== null && <span>E-BFMI from {verdict.ebfmi_min.toFixed(2)}</span>}
    </p>
  );
}
