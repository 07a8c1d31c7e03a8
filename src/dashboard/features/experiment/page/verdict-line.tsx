/** What the draws are worth, in one honest line: worst first, with a link from each problem to what shows it. */
import { Button } from '@mantine/core';
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconHourglass,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { type ReactNode } from 'react';
import { ApiError } from '../../../../client/api-error.ts';
import type { Summary } from '../../../../contract/draws.ts';
import type { Experiment, VerdictCheck, VerdictInfo } from '../../../../contract/experiment.ts';
import {
  chainsText,
  counted,
  failedChecks,
  headlineOf,
  remarksOf,
  sentenceOf,
} from '../../../../posterior/verdict-label.ts';
import { ebfmiFigure, essFigure, rhatFigure } from '../../../../posterior/verdict-limits.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import { CodeText } from '../../../ui/code-text.tsx';
import { HelpLink } from '../../../ui/help-link.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { ToneCard } from '../../../ui/tone-card.tsx';
import { unevenDraws } from '../../status/draw-counts.ts';
import { isFailed } from '../../status/is-failed.ts';
import { failureOf, runVerdict } from '../../status/run-verdict.ts';
import { ordinal } from '../../status/status-badge.tsx';
import page from '../run/experiment.module.css';
import { soFarText, timeLeftText } from '../run/live-progress.ts';
import { settingNumber } from '../run/run-facts.ts';
import { type CheckTarget, FailedChecks } from './failed-checks.tsx';
import classes from './verdict-line.module.css';

export interface VerdictLineProps {
  readonly experiment: Experiment;
  readonly summary: Summary | null;
  /** Why there is no summary; null while all is well. */
  readonly summaryError: unknown;
  readonly onOpen: (target: CheckTarget) => void;
  /** Offers the likely fix; absent if nothing can be run (snapshots). */
  readonly onRunAgain?: (change: Record<string, unknown>) => void;
}

const ImportLine = lazyPart(() => import('./import-line.tsx'), 'ImportLine');
const Remedies = lazyPart(() => import('./remedies.tsx'), 'Remedies');

const none: readonly VerdictCheck[] = [];

const icons = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconAlertCircle,
  unknown: IconHourglass,
};

export function VerdictLine(props: VerdictLineProps) {
  const { experiment, summary, summaryError } = props;
  if (isFailed(experiment))
    return <FailureLine experiment={experiment} isOwn={props.onRunAgain !== undefined} />;
  if (experiment.status === 'NEW')
    return (
      <Line
        tone="unknown"
        title={waitingText(experiment)}
        detail="Draws appear here as soon as the chains start."
      />
    );
  // A snapshot of an unfinished run is not judged either.
  const isUnfinished = isLiveStatus(experiment.status);
  if (isUnfinished && experiment.meta?.progress?.step)
    return <ImportLine experiment={experiment} />;
  if (isUnfinished)
    return (
      <Line
        tone="unknown"
        title={simulationsSoFar(summary?.verdict) ?? 'Too early to tell.'}
        detail={
          summary?.calibration === undefined
            ? soFar(experiment, summary)
            : remarksOf({ ...summary.verdict, state: 'good' }).join(' ')
        }
        aside={isShown(experiment) ? timeLeftText(experiment) : null}
      />
    );
  const verdict = runVerdict(experiment, summary?.verdict)?.verdict ?? null;
  if (verdict === null) {
    const { title, detail } = absenceText(experiment, summaryError);
    return <Line tone="unknown" title={title} detail={detail} />;
  }
  return <JudgedLine {...props} verdict={verdict} />;
}

function JudgedLine({
  experiment,
  verdict,
  onOpen,
  onRunAgain,
}: VerdictLineProps & { verdict: VerdictInfo }) {
  const failed = failedChecks(verdict.checks);
  const Icon = icons[verdict.state];
  const adaptDelta = failed.some(({ name }) => name === 'divergences')
    ? nextAdaptDelta(experiment)
    : null;
  const canRaise = adaptDelta !== null && onRunAgain !== undefined;
  const evidence = <Evidence verdict={verdict} numChains={sizeOf(verdict, experiment).chains} />;
  return (
    <ToneCard className={classes.verdict} tone={verdict.state} icon={Icon} label="Verdict">
      <div className={classes.verdictText}>
        <p>
          <strong role="status">{sentenceOf(verdict)}</strong>{' '}
          <span className={page.dim}>{explain(verdict, experiment)}</span>
          <HelpLink topic={isSampled(experiment) ? 'verdict' : 'algorithms'} of="the verdict" />
        </p>
      </div>
      {canRaise && (
        <Button
          variant="filled"
          leftSection={<IconPlayerPlay size={16} />}
          onClick={() => onRunAgain({ adapt_delta: adaptDelta })}
        >
          Run again with adapt_delta {adaptDelta}
        </Button>
      )}
      {failed.length > 0 && (
        <div className={classes.findings}>
          <FailedChecks failed={failed} onOpen={onOpen} />
          {onRunAgain !== undefined && <Remedies experiment={experiment} failed={failed} />}
          {/* Next to many checks there is no room for it. */}
          {!canRaise && evidence}
        </div>
      )}
      {failed.length === 0 && evidence}
    </ToneCard>
  );
}

/** Sampled by a Markov chain, whose convergence can be judged. */
function isSampled({ meta }: Experiment): boolean {
  const algorithm = meta?.settings?.algorithm ?? 'nuts';
  return algorithm === 'nuts';
}

function Line({
  tone,
  title,
  detail,
  aside = null,
  children,
}: {
  tone: string;
  title: string;
  detail: string;
  /** On the right. */
  aside?: string | null;
  children?: ReactNode;
}) {
  const Icon = tone === 'bad' ? IconAlertCircle : IconHourglass;
  return (
    <ToneCard className={classes.verdict} tone={tone} icon={Icon} label="Verdict">
      <div className={classes.verdictText}>
        <p>
          <strong role="status">
            <CodeText>{title}</CodeText>
          </strong>{' '}
          <span className={page.dim}>{detail}</span>
        </p>
        {children}
      </div>
      {aside !== null && <p className={classes.evidence}>{aside}</p>}
    </ToneCard>
  );
}

function FailureLine({ experiment, isOwn }: { experiment: Experiment; isOwn: boolean }) {
  const remains = remainsText(experiment);
  const failure = failureOf(experiment);
  const title = failure?.title ?? 'The server gave no reason. See the log.';
  const { reason = '', rest = [] } = failure ?? {};
  return (
    <Line tone="bad" title={title} detail={remains}>
      {reason !== '' && (
        <p>
          <CodeText>{reason.charAt(0).toUpperCase() + reason.slice(1)}</CodeText>
        </p>
      )}
      {rest.length > 0 && <pre className={classes.failure}>{rest.join('\n')}</pre>}
      {isOwn && experiment.status === 'ERR' && <Remedies experiment={experiment} failed={none} />}
    </Line>
  );
}

/** What was saved of a failed run. */
function remainsText(experiment: Experiment): string {
  const { status, n_samples } = experiment;
  if (status !== 'ERR') return 'Its chains are being stopped.';
  const uneven = unevenDraws(experiment);
  if (uneven !== null) return `The ${uneven} were saved.`;
  if (n_samples === 0) return 'No draws were made.';
  return n_samples === 1
    ? 'The one draw per chain was saved.'
    : `The ${formatCount(n_samples)} draws per chain were saved.`;
}

function waitingText(experiment: Experiment): string {
  const place = experiment.meta?.queue_place;
  return place === null || place === undefined
    ? 'Waiting to start.'
    : `Waiting to start: ${ordinal(place)} in the queue.`;
}

/** Why nothing is judged: no draws, still loading, or not available. */
function absenceText(experiment: Experiment, error: unknown) {
  const said = runVerdict(experiment);
  if (said !== null) return { title: `${said.headline}.`, detail: '' };
  if (error === null) return { title: 'Reading the draws.', detail: 'The verdict follows.' };
  const { message } = ApiError.from(error);
  return {
    title: 'The verdict could not be loaded.',
    detail: `${message} The draws are not affected.`,
  };
}

/** "No miscalibration found in 37 simulations, so far." Null if not a calibration or with too few simulations. */
function simulationsSoFar(verdict: VerdictInfo | undefined): string | null {
  if (verdict === undefined || verdict.state === 'unknown' || !isOfCalibration(verdict))
    return null;
  return `${headlineOf(verdict)}, so far.`;
}

function isOfCalibration({ checks }: VerdictInfo): boolean {
  return checks?.some(({ name }) => name === 'calibration' || name === 'simulations') === true;
}

function soFar(experiment: Experiment, summary: Summary | null): string {
  const draws = soFarText(experiment, summary);
  const worst = failedChecks(summary?.verdict.checks).find(({ name }) => name === 'rhat');
  return worst?.message === undefined ? draws : `${worst.message}. ${draws}`;
}

/** A run that is paused or being stopped needs no estimate of its end. */
function isShown({ meta }: Experiment): boolean {
  return meta?.action !== 'paused' && meta?.action !== 'stopping';
}

/** Counts the chains that were judged; a verdict of an earlier version does not name them. */
function sizeOf({ chains, draws }: VerdictInfo, { n_chains, n_samples }: Experiment) {
  return { chains: chains?.length ?? n_chains, draws: draws ?? n_samples };
}

function explain(verdict: VerdictInfo, experiment: Experiment): string {
  const { state, checks, chains = [], draws_left_out: leftOut = 0 } = verdict;
  if (isOfCalibration(verdict)) {
    const isFound = failedChecks(checks).length > 0;
    return [...(isFound ? [`${headlineOf(verdict)}.`] : []), ...remarksOf(verdict)].join(' ');
  }
  const size = sizeOf(verdict, experiment);
  const lacksChains = checks?.some(({ name, chain }) => name === 'chains' && chain !== undefined);
  const named = lacksChains && chains.length > 0 ? ` (${chainsText(chains)})` : '';
  const isCut = checks?.some((check) => check.name === 'draws' && isNote(check)) === true;
  const each = `${size.chains} × ${counted(size.draws, 'draw')}${named}`;
  // If chains are cut for R-hat and ESS, divergences are still counted in every draw.
  const basis = size.draws === 0 ? 'no draws' : isCut ? chainsText(chains) : each;
  const isFailed = failedChecks(checks).length > 0;
  const isPassed =
    !isFailed && checks?.some((check) => check.status === 'passed' && !isNote(check));
  const judged = isFailed ? `${headlineOf(verdict)}, on ${basis}.` : `${basis}.`;
  const texts: Record<VerdictInfo['state'], string> = {
    good: `All checks passed on ${basis}.`,
    warn: judged,
    bad: judged,
    unknown: isPassed
      ? `The other checks passed on ${basis}.`
      : isCut || size.draws === 0
        ? ''
        : `${basis}.`,
  };
  // A verdict of an earlier version contains only the number.
  const longer =
    leftOut > 0 && !isCut
      ? [`${counted(leftOut, 'draw')} of longer chains ${leftOut === 1 ? 'is' : 'are'} left out.`]
      : [];
  return [texts[state], ...longer, ...remarksOf(verdict)].filter((text) => text !== '').join(' ');
}

/** A note says what is not used; it neither passes nor fails. */
function isNote({ name, status }: VerdictCheck): boolean {
  return status === 'passed' && (name === 'draws' || name === 'chains');
}

/** The usual steps towards 1: .8 → .95 → .99; null if none is left. */
function nextAdaptDelta(experiment: Experiment): number | null {
  const used = settingNumber(experiment, 'adapt_delta') ?? 0.8;
  return [0.95, 0.99, 0.999].find((delta) => delta > used) ?? null;
}

function Evidence({ verdict, numChains }: { verdict: VerdictInfo; numChains: number }) {
  const { rhat_max = null, divergences = null, treedepth_hits = null, ebfmi_min = null } = verdict;
  const ess = [verdict.ess_bulk_min, verdict.ess_tail_min].filter((value) => isNumber(value));
  return (
    <p className={classes.evidence}>
      {rhat_max !== null && <span>R-hat up to {rhatFigure(rhat_max)}</span>}
      {ess.length > 0 && <span>ESS from {essFigure(Math.min(...ess), numChains)}</span>}
      {divergences !== null && <span>{counted(divergences, 'divergence')}</span>}
      {treedepth_hits !== null && <span>{counted(treedepth_hits, 'tree depth hit')}</span>}
      {ebfmi_min !== null && <span>E-BFMI from {ebfmiFigure(ebfmi_min)}</span>}
    </p>
  );
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
