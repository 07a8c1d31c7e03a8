/** The palette's actions for the open run: the same as the buttons in its head. */
import { useNavigate } from '@tanstack/react-router';
import { useOfferedActions } from '../../../ui/page-actions.ts';
import { printPage } from '../../../ui/printing.ts';
import { useChord } from '../../../ui/use-chord.ts';
import {
  againSearch,
  isControllable,
  isProgramRun,
  isRerunnable,
  isRetryable,
} from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import type { RunPart } from './more-items.tsx';
import { quantitiesLink } from './new-quantities.tsx';

const printChord = { modifier: 'control', keys: ['p'] } as const;

export interface PaletteOffersProps {
  readonly live: LiveExperiment;
  readonly actions: ExperimentActions;
  readonly onEdit: (part: RunPart) => void;
  /** Absent if the server has no projects. */
  readonly onProject: (() => void) | undefined;
}

export function PaletteOffers({
  live: { experiment, isLive },
  actions,
  onEdit,
  onProject,
}: PaletteOffersProps) {
  const navigate = useNavigate();
  const detail = experiment.name || experiment.short_id;
  const control = (name: 'stop' | 'pause' | 'resume' | 'retry') => () =>
    void actions.onControl(name);
  const canControl = isLive && actions.canControl && isControllable(experiment);
  const canPause = canControl && !isProgramRun(experiment);
  const isPaused = experiment.meta?.action === 'paused';
  const canRetry = !isLive && actions.canRetry === true && isRetryable(experiment);
  const again = () => void navigate({ to: '/experiments/new', search: againSearch(experiment) });
  const compare = () =>
    void navigate({ to: '/experiments/compare', search: { ids: experiment.short_id } });
  const link = isLive ? null : quantitiesLink(experiment);
  const hasNote = Boolean(experiment.meta?.note);
  const offers: readonly (readonly [string, (() => void) | null, (readonly string[])?])[] = [
    ['Stop and keep draws', canControl ? control('stop') : null],
    [isPaused ? 'Resume' : 'Pause', canPause ? control(isPaused ? 'resume' : 'pause') : null],
    ['Retry failed chains', canRetry ? control('retry') : null],
    ['Run again', !isLive && isRerunnable(experiment) ? again : null],
    ['New quantities', link === null ? null : () => void navigate(link)],
    ['Compare', compare],
    ['Share', actions.onShare],
    ['Rename', () => onEdit('name')],
    ['Tags', () => onEdit('tags')],
    [hasNote ? 'Edit notes' : 'Add notes', () => onEdit('note')],
    ['Add to project', onProject ?? null],
    ['Print', print, ['Ctrl', 'P']],
    ['Delete', !isLive && actions.canDelete ? actions.onDelete : null],
  ];
  useOfferedActions(
    offers.flatMap(([label, run, keys = []]) =>
      run === null ? [] : [{ label, detail, keys, run }],
    ),
  );
  useChord(printChord, print);
  return null;
}

const print = () => void printPage();
