/** Title, status, facts and actions. */
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { counted } from '../../../../posterior/verdict-label.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import { HelpLink } from '../../../ui/help-link.tsx';
import { type HelpTopic, helpTopics } from '../../../ui/help-topics.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { unevenDraws } from '../../status/draw-counts.ts';
import { isFailed } from '../../status/is-failed.ts';
import { StatusBadge, statusOf } from '../../status/status-badge.tsx';
import { durationLabel } from '../run/chain-strip.tsx';
import { isCalibration, settingNumber } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import type { RunPart } from './more-items.tsx';
import { RunButtons } from './run-buttons.tsx';
import { RunTitle } from './run-title.tsx';

const TagsForm = lazyPart(() => import('./tags-form.tsx'), 'TagsForm');

export interface ExperimentHeadProps {
  readonly live: LiveExperiment;
  readonly isShare: boolean;
  readonly actions?: ExperimentActions;
  /** Which part of the description is being edited. */
  readonly edited: RunPart | null;
  readonly onEdit: (part: RunPart | null) => void;
}

export function ExperimentHead({ live, isShare, actions, edited, onEdit }: ExperimentHeadProps) {
  const { experiment } = live;
  const name = experiment.name || experiment.short_id;
  const tags = experiment.meta?.tags ?? [];
  return (
    <>
      <PageHead
        title={
          actions === undefined ? (
            name
          ) : (
            <RunTitle
              name={name}
              isEdited={edited === 'name'}
              onRename={actions.onRename}
              onClose={() => onEdit(null)}
            />
          )
        }
        badge={<Badge live={live} isShare={isShare} />}
        id={isShare ? undefined : experiment.short_id}
        facts={[...factsOf(live, isShare), ...tags.map(tagFact)]}
        actions={
          actions === undefined ? undefined : (
            <RunButtons live={live} actions={actions} onEdit={onEdit} />
          )
        }
      />
      {edited === 'tags' && actions !== undefined && (
        <TagsForm tags={tags} onSave={actions.onTags} onClose={() => onEdit(null)} />
      )}
    </>
  );
}

/** Links to the others that have it. */
function tagFact(tag: string): ReactNode {
  return (
    <Link key={`tag ${tag}`} to="/experiments" search={{ tag }}>
      #{tag}
    </Link>
  );
}

/** Announced to screen readers when it changes, since a run may end unattended. */
function Badge({ live, isShare }: { live: LiveExperiment; isShare: boolean }) {
  const { experiment, health } = live;
  const { label, tone } = statusOf(experiment);
  const staleSince = health.failures > 0 ? health.updatedAt || undefined : undefined;
  return (
    <>
      <span role="status">
        <StatusBadge
          experiment={experiment}
          staleSince={staleSince}
          whenShared={isShare && isLiveStatus(experiment.status)}
        />
      </span>
      {tone in helpTopics && <HelpLink topic={tone as HelpTopic} of={label} />}
    </>
  );
}

function factsOf({ experiment, summary, isLive }: LiveExperiment, isShare: boolean): ReactNode[] {
  const meta = experiment.meta ?? {};
  const seed = settingNumber(experiment, 'seed');
  const delta = settingNumber(experiment, 'adapt_delta');
  const hasDraws = experiment.n_samples > 0;
  const finished = meta.finished_at || (hasDraws ? experiment.sample_update_time : '');
  const facts: ReactNode[] = [];
  if (experiment.model_name !== '') {
    const linked = isShare ? null : experiment.model_id;
    facts.push(
      linked ? (
        <Link key="model" to="/models/$modelId" params={{ modelId: linked }}>
          {experiment.model_name}
        </Link>
      ) : (
        experiment.model_name
      ),
    );
  }
  if (meta.model_version) facts.push(`v${meta.model_version}`);
  if (meta.data_name) {
    const linked = isShare ? null : experiment.input;
    facts.push(
      linked ? (
        <Link key="data" to="/data/$dataId" params={{ dataId: linked }}>
          {meta.data_name}
        </Link>
      ) : (
        meta.data_name
      ),
    );
  }
  const from = meta.settings?.from;
  if (typeof from === 'string' && from !== '')
    facts.push(
      <span key="from">
        draws of{' '}
        <Link to="/experiments/$experimentId" params={{ experimentId: from }}>
          {from}
        </Link>
      </span>,
    );
  if (experiment.n_samples > 0) {
    const chains = counted(experiment.n_chains, isCalibration(experiment) ? 'simulation' : 'chain');
    const uneven = unevenDraws(experiment, summary);
    // of a running run, the verdict's line counts its draws and the strip those of each chain
    if (uneven !== null) facts.push(isLive ? chains : uneven);
    else facts.push(`${chains} × ${counted(experiment.n_samples, 'draw')}`);
  }
  if (!isLive && meta.elapsed_seconds) facts.push(durationLabel(meta.elapsed_seconds));
  if (isLive && meta.started_at)
    facts.push(
      <span key="started">
        started <RelativeTime date={meta.started_at} />
      </span>,
    );
  if (!isLive && finished)
    facts.push(
      <span key="finished">
        {isShare ? `frozen, ${hasDraws ? 'draws from' : 'ended'} ` : `${endingOf(experiment)} `}
        <RelativeTime date={finished} />
      </span>,
    );
  const limit = settingNumber(experiment, 'time_limit');
  if (!isLive && meta.action === 'stopped' && meta.time_limit_reached === true && limit !== null)
    facts.push(`stopped at the time limit of ${durationLabel(limit)}, draws kept`);
  if (seed !== null) facts.push(`seed ${seed}`);
  if (delta !== null && delta !== 0.8) facts.push(`adapt_delta ${delta}`);
  return facts;
}

function endingOf(experiment: LiveExperiment['experiment']): 'ended' | 'stopped' | 'finished' {
  if (isFailed(experiment)) return 'ended';
  return experiment.meta?.action === 'stopped' ? 'stopped' : 'finished';
}
