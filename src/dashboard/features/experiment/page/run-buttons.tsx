/** The buttons in the head of an experiment: what its owner can do with the run. */
import { Button } from '@mantine/core';
import {
  IconLayoutColumns,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconReload,
  IconShare3,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { useCapability } from '../../../objects/use-config.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import type { PollHealth } from '../../live/use-poll.ts';
import { notRerunText } from '../../status/program-absence.ts';
import page from '../run/experiment.module.css';
import {
  againSearch,
  isControllable,
  isExtendable,
  isProgramRun,
  isRerunnable,
  isRetryable,
} from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import { LiveLine } from './live-line.tsx';
import { MoreActions } from './more-actions.tsx';
import { MoreDraws } from './more-draws.tsx';
import type { RunPart } from './more-items.tsx';

const AddToProject = lazyPart(() => import('../../lists/menus/add-to-project.tsx'), 'AddToProject');
const PaletteOffers = lazyPart(() => import('./palette-offers.tsx'), 'PaletteOffers');

export interface RunButtonsProps {
  readonly live: LiveExperiment;
  readonly actions: ExperimentActions;
  /** Opens a part of the description for editing. */
  readonly onEdit: (part: RunPart) => void;
}

export function RunButtons({ live, actions, onEdit }: RunButtonsProps) {
  const { experiment, isLive, health } = live;
  const action = experiment.meta?.action ?? '';
  const hasProjects = useCapability('projects');
  const [isGathering, setGathering] = useState(false);
  const gather = hasProjects ? () => setGathering(true) : undefined;
  const { short_id: id, name } = experiment;
  return (
    <>
      <PaletteOffers live={live} actions={actions} onEdit={onEdit} onProject={gather} />
      <LiveLine live={live} />
      {isLive && health.error !== null && <span role="status">{problemText(health)}</span>}
      {isLive && actions.canControl && <ControlButtons live={live} actions={actions} />}
      {isLive && action === 'stopping' && <span role="status">Stopping, draws are saved</span>}
      {!isLive && <EndedButtons live={live} actions={actions} />}
      <Button leftSection={<IconShare3 size={16} />} onClick={actions.onShare}>
        Share
      </Button>
      <LinkButton
        to="/experiments/compare"
        search={{ ids: experiment.short_id }}
        leftSection={<IconLayoutColumns size={16} />}
      >
        Compare
      </LinkButton>
      <MoreActions
        experiment={isLive ? null : experiment}
        hasNote={Boolean(experiment.meta?.note)}
        onEdit={onEdit}
        onProject={gather}
        onDelete={!isLive && actions.canDelete ? actions.onDelete : undefined}
      />
      {isGathering && (
        <AddToProject objects={[{ id, name: name || id }]} onClose={() => setGathering(false)} />
      )}
    </>
  );
}

function problemText({ error }: PollHealth): string {
  if (error?.kind === 'network' || error?.kind === 'timeout')
    return 'Connection lost, trying again';
  return `Not updated, trying again: ${error?.message ?? ''}`;
}

type Parts = Pick<RunButtonsProps, 'live' | 'actions'>;

/** While it runs. */
function ControlButtons({ live: { experiment }, actions }: Parts) {
  const [busy, setBusy] = useState<string | null>(null);
  if (!isControllable(experiment)) return null;
  const control = (name: 'stop' | 'pause' | 'resume') => ({
    loading: busy === name,
    onClick: () => {
      setBusy(name);
      void actions.onControl(name).finally(() => setBusy(null));
    },
  });
  const isPaused = experiment.meta?.action === 'paused';
  return (
    <>
      {!isProgramRun(experiment) &&
        (isPaused ? (
          <Button leftSection={<IconPlayerPlay size={16} />} {...control('resume')}>
            Resume
          </Button>
        ) : (
          <Button leftSection={<IconPlayerPause size={16} />} {...control('pause')}>
            Pause
          </Button>
        ))}
      <Button leftSection={<IconPlayerStop size={16} />} {...control('stop')}>
        {experiment.meta?.progress?.step ? 'Stop import' : 'Stop and keep draws'}
      </Button>
    </>
  );
}

/** Once it has ended. */
function EndedButtons({ live: { experiment }, actions }: Parts) {
  const [isBusy, setBusy] = useState(false);
  const canRun = isRerunnable(experiment);
  const retry = () => {
    setBusy(true);
    void actions.onControl('retry').finally(() => setBusy(false));
  };
  return (
    <>
      {!canRun && (
        <span id="not-rerun" className={page.dim}>
          {notRerunText(experiment)}
        </span>
      )}
      {actions.canRetry === true && isRetryable(experiment) && (
        <Button
          loading={isBusy}
          leftSection={<IconReload size={16} />}
          title="Continues the failed chains from where they stopped"
          onClick={retry}
        >
          Retry failed chains
        </Button>
      )}
      {canRun ? (
        <RunAgain experiment={experiment} />
      ) : (
        <Button disabled aria-describedby="not-rerun" leftSection={<IconRefresh size={16} />}>
          Run again
        </Button>
      )}
      {actions.canControl && canRun && isExtendable(experiment) && (
        <MoreDraws experiment={experiment} onExtend={actions.onExtend} />
      )}
    </>
  );
}

/** Opens the settings, filled in; nothing starts before the user has seen them. */
function RunAgain({ experiment }: { experiment: Experiment }) {
  return (
    <LinkButton
      to="/experiments/new"
      search={againSearch(experiment)}
      leftSection={<IconRefresh size={16} />}
    >
      Run again
    </LinkButton>
  );
}
