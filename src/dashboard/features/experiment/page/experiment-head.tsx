/** Title, status, facts and what can be done. */
import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconLayoutColumns,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconShare3,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { counted } from '../../../../posterior/verdict-label.ts';
import { isLiveStatus } from '../../../objects/live-status.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import type { PollHealth } from '../../live/use-poll.ts';
import { unevenDraws } from '../../status/draw-counts.ts';
import { StatusBadge, statusOf } from '../../status/status-badge.tsx';
import { durationLabel } from '../run/chain-strip.tsx';
import { isExtendable, isProgramRun, settingNumber } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import { LiveLine } from './live-line.tsx';
import { MoreDraws } from './more-draws.tsx';

export interface ExperimentHeadProps {
  readonly live: LiveExperiment;
  readonly isShare: boolean;
  readonly actions?: ExperimentActions;
}

export function ExperimentHead({ live, isShare, actions }: ExperimentHeadProps) {
  const { experiment } = live;
  return (
    <PageHead
      title={experiment.name || experiment.short_id}
      badge={<Badge live={live} isShare={isShare} />}
      id={isShare ? undefined : experiment.short_id}
      facts={factsOf(live, isShare)}
      actions={actions === undefined ? undefined : <Actions live={live} actions={actions} />}
    />
  );
}

/** Announced to screen readers when it changes, since a run ends while nobody looks. */
function Badge({ live, isShare }: { live: LiveExperiment; isShare: boolean }) {
  const { experiment, health } = live;
  const staleSince = health.failures > 0 ? health.updatedAt || undefined : undefined;
  return (
    <span role="status">
      <StatusBadge
        experiment={experiment}
        staleSince={staleSince}
        whenShared={isShare && isLiveStatus(experiment.status)}
      />
    </span>
  );
}

function factsOf(
  { experiment, summary, isLive }: LiveExperiment,
  isShare: boolean,
): React.ReactNode[] {
  const meta = experiment.meta ?? {};
  const seed = settingNumber(experiment, 'seed');
  const delta = settingNumber(experiment, 'adapt_delta');
  const hasDraws = experiment.n_samples > 0;
  const finished = meta.finished_at || (hasDraws ? experiment.sample_update_time : '');
  const facts: React.ReactNode[] = [];
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
  if (experiment.n_samples > 0)
    facts.push(
      (isLive ? null : unevenDraws(experiment, summary)) ??
        `${counted(experiment.n_chains, 'chain')} × ${counted(experiment.n_samples, 'draw')}`,
    );
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
        {isShare ? 'frozen, draws from ' : 'finished '}
        <RelativeTime date={finished} />
      </span>,
    );
  if (seed !== null) facts.push(`seed ${seed}`);
  if (delta !== null && delta !== 0.8) facts.push(`adapt_delta ${delta}`);
  return facts;
}

function problemText({ error }: PollHealth): string {
  if (error?.kind === 'network' || error?.kind === 'timeout')
    return 'Connection lost, trying again';
  return `Not updated, trying again: ${error?.message ?? ''}`;
}

function Actions({ live, actions }: { live: LiveExperiment; actions: ExperimentActions }) {
  const { experiment, isLive, health } = live;
  const [busy, setBusy] = useState<string | null>(null);
  const action = experiment.meta?.action ?? '';
  const isEnding = ['Stopping', 'Finishing', 'Error'].includes(statusOf(experiment).label);
  const control = (name: 'stop' | 'pause' | 'resume') => {
    setBusy(name);
    void actions.onControl(name).finally(() => setBusy(null));
  };
  const icon = { size: 16 } as const;
  return (
    <>
      <LiveLine live={live} />
      {isLive && health.error !== null && <span role="status">{problemText(health)}</span>}
      {isLive && actions.canControl && !isEnding && (
        <>
          {isProgramRun(experiment) ? null : action === 'paused' ? (
            <Button
              variant="default"
              loading={busy === 'resume'}
              leftSection={<IconPlayerPlay {...icon} />}
              onClick={() => control('resume')}
            >
              Resume
            </Button>
          ) : (
            <Button
              variant="default"
              loading={busy === 'pause'}
              leftSection={<IconPlayerPause {...icon} />}
              onClick={() => control('pause')}
            >
              Pause
            </Button>
          )}
          <Button
            variant="default"
            loading={busy === 'stop'}
            leftSection={<IconPlayerStop {...icon} />}
            onClick={() => control('stop')}
          >
            Stop and keep draws
          </Button>
        </>
      )}
      {isLive && action === 'stopping' && <span role="status">Stopping, draws are saved</span>}
      {!isLive && (
        <Button
          variant="default"
          leftSection={<IconRefresh {...icon} />}
          onClick={() => actions.onRunAgain({})}
        >
          Run again
        </Button>
      )}
      {!isLive && actions.canControl && isExtendable(experiment) && (
        <MoreDraws experiment={experiment} onExtend={actions.onExtend} />
      )}
      <Button variant="default" leftSection={<IconShare3 {...icon} />} onClick={actions.onShare}>
        Share
      </Button>
      <Button
        variant="default"
        renderRoot={(props: ComponentProps<'a'>) => (
          <Link to="/experiments/compare" search={{ ids: experiment.short_id }} {...props} />
        )}
        leftSection={<IconLayoutColumns {...icon} />}
      >
        Compare
      </Button>
      {!isLive && actions.canDelete && <MoreActions onDelete={actions.onDelete} />}
    </>
  );
}

function MoreActions({ onDelete }: Pick<ExperimentActions, 'onDelete'>) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label="More actions">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item c="var(--e-bad)" leftSection={<IconTrash size={16} />} onClick={onDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
