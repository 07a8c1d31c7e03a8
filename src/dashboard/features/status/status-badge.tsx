/** The state of a run as icon and label. */
import {
  IconAlertCircle,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconClockPause,
  IconPlayerPause,
  IconPlayerPlayFilled,
  IconPlayerStop,
} from '@tabler/icons-react';
import type { Experiment } from '../../../contract/experiment.ts';
import { isRecord } from '../../../shared/items.ts';
import { formatClock } from '../../ui/dates.ts';
import { isFailed } from './is-failed.ts';
import classes from './status.module.css';

type Tone = 'new' | 'running' | 'paused' | 'finished' | 'stopped' | 'error' | 'plain';

/** Label and tone of a run; labels of other servers are shown as they are. */
export function statusOf(experiment: Pick<Experiment, 'status' | 'meta'>): {
  label: string;
  tone: Tone;
} {
  const { status, meta } = experiment;
  const action = meta?.action ?? '';
  const place = meta?.queue_place;
  if (isFailed(experiment)) return { label: 'Error', tone: 'error' };
  switch (status) {
    case 'NEW':
      return { label: place ? `Queued, ${ordinal(place)}` : 'New', tone: 'new' };
    case 'RUN':
    case 'SAMPLE_FIN': {
      if (action === 'paused') return { label: 'Paused', tone: 'paused' };
      if (action === 'stopping') return { label: 'Stopping', tone: 'stopped' };
      const info = meta?.run_info;
      const finishing = status === 'SAMPLE_FIN' || (isRecord(info) && info.status === 'SAMPLE_FIN');
      return { label: finishing ? 'Finishing' : 'Running', tone: 'running' };
    }
    case 'FIN':
      return action === 'stopped'
        ? { label: 'Stopped', tone: 'stopped' }
        : { label: 'Finished', tone: 'finished' };
    default:
      return { label: status === '' ? 'Unknown' : status, tone: 'plain' };
  }
}

const icons = {
  new: IconCircleDashed,
  running: IconPlayerPlayFilled,
  paused: IconPlayerPause,
  finished: IconCheck,
  stopped: IconPlayerStop,
  error: IconAlertCircle,
  plain: IconClock,
};

export interface StatusBadgeProps {
  readonly experiment: Pick<Experiment, 'status' | 'meta'>;
  /** The connection is lost: when the status was last known, milliseconds since the epoch. */
  readonly staleSince?: number;
  /** A snapshot of a run that continued. */
  readonly whenShared?: boolean;
}

export function StatusBadge({ experiment, staleSince, whenShared = false }: StatusBadgeProps) {
  const { label, tone } = statusOf(experiment);
  if (staleSince !== undefined)
    return (
      <span className={classes.badge} data-tone="new">
        <IconClockPause size={13} aria-hidden="true" />
        {label} at {formatClock(new Date(staleSince))}
      </span>
    );
  const Icon = whenShared ? IconClockPause : icons[tone];
  return (
    <span className={classes.badge} data-tone={whenShared ? 'plain' : tone}>
      <Icon size={13} aria-hidden="true" />
      {whenShared ? `${label} when shared` : label}
    </span>
  );
}

/** 1st, 2nd, 3rd, 11th. */
export function ordinal(n: number): string {
  const endings: Record<number, string> = { 1: 'st', 2: 'nd', 3: 'rd' };
  return `${n}${(n % 100 > 10 && n % 100 < 14 ? undefined : endings[n % 10]) ?? 'th'}`;
}
