/** Moment matching when Pareto k is too high: the offer, its progress on the server, and its result. */
import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Experiment, MatchAction, MomentMatch } from '../../../../contract/experiment.ts';
import type { Loo } from '../../../../posterior/loo.ts';
import { looRefusal } from '../../../../posterior/loo-refusal.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import { objectQueryOptions } from '../../../objects/object-queries.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { useAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { useCapability } from '../../../objects/use-config.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { Problem } from '../../../ui/problem.tsx';
import { listPollDelay } from '../../live/poll-policy.ts';
import { isProgramRun } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import own from './loo.module.css';

export interface MomentMatchingProps {
  readonly live: LiveExperiment;
  readonly loo: Loo;
}

/** A run whose program is on the server and whose draws are from the posterior. */
function isMatchable(experiment: Experiment): boolean {
  const { settings } = experiment.meta ?? {};
  if (!settings || isProgramRun(experiment) || isLiveStatus(experiment.status)) return false;
  return looRefusal(settings.algorithm) === null;
}

const isUnderway = (match: MomentMatch | null) =>
  match?.state === 'waiting' || match?.state === 'running';

export function MomentMatching({ live, loo }: MomentMatchingProps) {
  const { experiment, access } = live;
  const client = useClient();
  const canMatch = useCapability('moment_matching');
  const match = experiment.meta?.moment_match ?? null;
  const isOwn = access.shareId === undefined && canMatch && isMatchable(experiment);
  const id = experiment.short_id;
  useQuery({
    ...objectQueryOptions(client, 'experiment', id, access),
    enabled: isUnderway(match),
    refetchInterval: (query) => listPollDelay(true, query.state.status === 'error'),
  });
  const { run, isBusy, problem } = useAction(
    (_, action: MatchAction) =>
      client.updateObject({
        params: { objid: id },
        body: { payload: { object_type: 'experiment', action } },
      }),
    { changes: [objectKeys('experiment').detail(id)] },
  );
  const start = () => void run('match_moments');
  return (
    <div className={own.matching} role="status">
      {match?.state === 'done' && <Improved match={match} loo={loo} />}
      {isOwn && isUnderway(match) && match !== null && (
        <Underway match={match} isBusy={isBusy} onCancel={() => void run('stop_matching')} />
      )}
      {isOwn && match?.state === 'failed' && (
        <p>
          Moment matching failed. {match.message}{' '}
          <Button size="compact-xs" loading={isBusy} onClick={start}>
            Try again
          </Button>
        </p>
      )}
      {isOwn && match === null && loo.num_high_k > 0 && (
        <Offer loo={loo} isBusy={isBusy} onStart={start} />
      )}
      {problem !== null && <Problem>{problem}</Problem>}
    </div>
  );
}

const observationsText = (count: number) =>
  `${formatCount(count)} ${count === 1 ? 'observation' : 'observations'}`;

interface OfferProps {
  readonly loo: Loo;
  readonly isBusy: boolean;
  readonly onStart: () => void;
}

function Offer({ loo, isBusy, onStart }: OfferProps) {
  const { num_high_k: high, threshold } = loo;
  return (
    <>
      <p>
        {observationsText(high)} {high === 1 ? 'has' : 'have'} a Pareto k above{' '}
        {threshold.toFixed(2)}: what {high === 1 ? 'it contributes' : 'they contribute'} to elpd may
        be far off. Moment matching moves the draws for {high === 1 ? 'it' : 'each of them'} until
        their weights are reliable. The server does this with the draws of this run; you can leave
        this page.
      </p>
      <Button size="xs" loading={isBusy} onClick={onStart}>
        Improve by moment matching
      </Button>
    </>
  );
}

interface UnderwayProps {
  readonly match: MomentMatch;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}

function Underway({ match: { state, done, total }, isBusy, onCancel }: UnderwayProps) {
  const text =
    state === 'waiting'
      ? 'Moment matching waits for the worker.'
      : total === 0
        ? 'Moment matching: reading the draws…'
        : `Moment matching: ${formatCount(done)} of ${observationsText(total)}…`;
  return (
    <div className={own.underway}>
      <p>{text}</p>
      {total > 0 && (
        <Progress className={own.bar} value={(100 * done) / total} aria-label="Moment matching" />
      )}
      <Button size="compact-xs" loading={isBusy} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function Improved({ match, loo }: { match: MomentMatch; loo: Loo }) {
  const all = match.observations ?? [];
  const helped = all.filter(({ moves }) => moves > 0).length;
  const { num_high_k: high, threshold } = loo;
  if (all.length === 0) return <p>Moment matching: no observation needs it.</p>;
  return (
    <p>
      Moment matching moved the draws for {formatCount(helped)} of {observationsText(all.length)}.{' '}
      {high === 0
        ? `Every Pareto k is now at most ${threshold.toFixed(2)}.`
        : `${observationsText(high)} ${high === 1 ? 'is' : 'are'} still above ${threshold.toFixed(2)}: fit the model again without ${high === 1 ? 'it' : 'them'} to be sure.`}
    </p>
  );
}
