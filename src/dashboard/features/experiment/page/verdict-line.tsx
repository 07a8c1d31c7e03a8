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
import { ApiError } from '../../../../client/api-error.ts';
import type { Summary } from '../../../../contract/draws.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import {
  type FailedCheck,
  judge,
  type SamplerEvidence,
  type Verdict,
} from '../../../../posterior/verdict.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import { formatCount } from '../../../ui/numbers.ts';
import page from '../run/experiment.module.css';
import type { SamplerPlot } from '../run/experiment-search.ts';
import { settingNumber } from '../run/run-facts.ts';
import classes from './verdict-line.module.css';

/** Where a failed check is shown. */
export interface CheckTarget {
  readonly tab: 'traces' | 'summary' | 'diagnostics';
  readonly variable: string | null;
  /** Plot of the sampler. */
  readonly at?: SamplerPlot;
}

export interface VerdictLineProps {
  readonly experiment: Experiment;
  readonly summary: Summary | null;
  /** Why there is no summary; null while all is well. */
  readonly summaryError: unknown;
  readonly onOpen: (target: CheckTarget) => void;
  /** Offers the likely mend; absent where nothing can be run (snapshots). */
  readonly onRunAgain?: (change: Record<string, unknown>) => void;
}

/** What the sampler said of itself. A server that judged well without any of it ran no Hamiltonian sampler. */
function samplerOf({ verdict, chains }: Summary): SamplerEvidence | 'not-applicable' {
  const divergences = verdict.divergences ?? null;
  const treedepthHits = verdict.treedepth_hits ?? null;
  const ebfmi = chains.map((chain) => chain.ebfmi ?? Number.NaN);
  const hasEbfmi = !ebfmi.every(Number.isNaN);
  const isSilent = divergences === null && treedepthHits === null && !hasEbfmi;
  if (isSilent && verdict.state === 'good') return 'not-applicable';
  return { divergences, treedepthHits, ebfmi: hasEbfmi ? ebfmi : null };
}

/** The verdict of a summary, with what failed and where. */
export function verdictOf(summary: Summary): Verdict {
  return judge({
    rows: summary.variables,
    numChains: summary.n_chains,
    numDraws: summary.n_samples,
    sampler: samplerOf(summary),
  });
}

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconAlertCircle,
  unknown: IconHourglass,
};

export function VerdictLine(props: VerdictLineProps) {
  const { experiment, summary, summaryError, onOpen, onRunAgain } = props;
  if (experiment.status === 'ERR') return <FailureLine experiment={experiment} />;
  if (experiment.status === 'NEW')
    return (
      <Line
        tone="unknown"
        title={waitingWords(experiment)}
        detail="Draws appear here as soon as the chains start."
      />
    );
  // A snapshot of a run that went on is judged no more than the run itself.
  const isUnfinished = isLiveStatus(experiment.status);
  if (summary === null) {
    const { title, detail } = absenceWords(experiment, isUnfinished, summaryError);
    return <Line tone="unknown" title={title} detail={detail} />;
  }
  const verdict = verdictOf(summary);
  if (isUnfinished)
    return <Line tone="unknown" title="Too early to tell." detail={soFar(summary, verdict)} />;
  const Icon = icons[verdict.state];
  const mend = verdict.failed.some((check) => check.check === 'divergences')
    ? mendFor(experiment)
    : null;
  const canMend = mend !== null && onRunAgain !== undefined;
  const evidence = (
    <Evidence verdict={verdict} isRecorded={samplerOf(summary) !== 'not-applicable'} />
  );
  return (
    <section className={classes.verdict} data-tone={verdict.state} aria-label="Verdict">
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <div className={classes.verdictWords}>
        <p>
          <strong role="status">{verdict.sentence}</strong>{' '}
          <span className={page.dim}>{explain(verdict, summary)}</span>
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
        {/* Beside many checks there is no room for it. */}
        {verdict.failed.length > 0 && !canMend && evidence}
      </div>
      {canMend && (
        <Button
          leftSection={<IconPlayerPlay size={16} stroke={1.6} />}
          onClick={() => onRunAgain({ adapt_delta: mend })}
        >
          Run again with adapt_delta {mend}
        </Button>
      )}
      {verdict.failed.length === 0 && evidence}
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
    <section className={classes.verdict} data-tone={tone} aria-label="Verdict">
      <Icon size={18} stroke={1.6} aria-hidden="true" />
      <div className={classes.verdictWords}>
        <p>
          <strong role="status">{title}</strong> <span className={page.dim}>{detail}</span>
        </p>
        {children}
      </div>
    </section>
  );
}

/** Characters that still read as one sentence. */
const shortReason = 120;

function FailureLine({ experiment }: { experiment: Experiment }) {
  const error = experiment.meta?.error;
  const kept =
    experiment.n_samples > 0
      ? `The ${formatCount(experiment.n_samples)} draws a chain that were made are kept.`
      : 'No draws were made.';
  const message = error?.message ?? 'The server did not say why. The log may.';
  const [whole, ...rest] = message.split('\n');
  // What happened stands out; why, and what to do, reads as the sentences it is.
  const parts = whole.length > shortReason ? /^(.{10,}?[.:])\s+(\S.*)$/.exec(whole) : null;
  const [, first, reason] = parts ?? [null, whole, ''];
  const title = reason === '' ? first : first.replace(/:$/, '.');
  return (
    <Line tone="bad" title={title} detail={kept}>
      {reason !== '' && (
        <p className={classes.reason}>{reason[0].toUpperCase() + reason.slice(1)}</p>
      )}
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

/** Why nothing is judged: no draws, not here yet, or not to be had. */
function absenceWords(experiment: Experiment, isUnfinished: boolean, error: unknown) {
  if (isUnfinished) return { title: 'Too early to tell.', detail: 'No draws yet.' };
  if (experiment.n_samples === 0)
    return { title: 'Nothing to judge.', detail: 'This run has no draws.' };
  if (error === null)
    return { title: 'Reading the draws.', detail: 'The verdict comes with them.' };
  const { message } = ApiError.from(error);
  return {
    title: 'The verdict could not be loaded.',
    detail: `${message} The draws are not affected.`,
  };
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
  if (verdict.failed.length === 1) return '1 check failed.';
  return `${verdict.failed.length} checks failed, worst first.`;
}

/** The plot of the sampler that shows a failed check. */
const shownBy: Readonly<Partial<Record<FailedCheck['check'], SamplerPlot>>> = {
  divergences: 'divergences',
  treedepth: 'treedepth',
  ebfmi: 'energy',
};

function targetOf({ check, variable }: FailedCheck): CheckTarget {
  const at = shownBy[check];
  if (at !== undefined) return { tab: 'diagnostics', variable, at };
  const inTable = check === 'ess_bulk' || check === 'ess_tail';
  return { tab: inTable ? 'summary' : 'traces', variable };
}

/** A step towards 1 that people take: .8 → .95 → .99; null when there is none left. */
function mendFor(experiment: Experiment): number | null {
  const used = settingNumber(experiment, 'adapt_delta') ?? 0.8;
  return [0.95, 0.99, 0.999].find((delta) => delta > used) ?? null;
}

function Evidence({ verdict, isRecorded }: { verdict: Verdict; isRecorded: boolean }) {
  const { rhat_max, divergences, treedepth_hits, ebfmi_min } = verdict;
  const ess = [verdict.ess_bulk_min, verdict.ess_tail_min].filter((value) => value !== null);
  const lacking = [
    divergences === null ? 'divergences' : null,
    treedepth_hits === null ? 'tree depth' : null,
    ebfmi_min === null ? 'E-BFMI' : null,
  ].filter((words) => words !== null);
  return (
    <p className={classes.evidence}>
      {rhat_max !== null && <span>R-hat up to {rhat_max.toFixed(3)}</span>}
      {ess.length > 0 && <span>ESS from {formatCount(Math.round(Math.min(...ess)))}</span>}
      {divergences !== null && <span>{counted(divergences, 'divergence')}</span>}
      {treedepth_hits !== null && <span>{counted(treedepth_hits, 'tree depth hit')}</span>}
      {ebfmi_min !== null && <span>E-BFMI from {ebfmi_min.toFixed(2)}</span>}
      {isRecorded && lacking.length > 0 && <span>Not recorded: {lacking.join(', ')}</span>}
    </p>
  );
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
