/** Where the palette leads: objects, actions, pages. */
import {
  IconArrowsSplit2,
  IconBolt,
  IconCalendarEvent,
  IconChartLine,
  IconDatabase,
  IconFileCode,
  IconLayoutDashboard,
  IconLink,
  IconPlayerPlay,
  IconPlus,
  IconShare3,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { ListEntry } from '../../../contract/objects.ts';
import { formatBytes } from '../../ui/numbers.ts';
import { statusOf } from '../status/status-badge.tsx';
import { percentDone, verdictWords } from '../status/verdict-mark.tsx';

export interface Target {
  readonly group: string;
  readonly label: string;
  readonly detail: string;
  readonly to: string;
  readonly icon: ComponentType<{ size: number; stroke: number }>;
  /** Keys that go there without the palette. */
  readonly keys?: readonly string[];
}

export const searchedKinds = [
  { kind: 'experiment', group: 'Experiments', path: '/experiments/', icon: IconChartLine },
  { kind: 'model', group: 'Models', path: '/models/', icon: IconFileCode },
  { kind: 'data', group: 'Data', path: '/data/', icon: IconDatabase },
] as const;

export const fixedTargets: readonly Target[] = [
  {
    group: 'Actions',
    label: 'New experiment',
    detail: 'pick a model and run it',
    to: '/experiments/new',
    icon: IconPlayerPlay,
  },
  {
    group: 'Actions',
    label: 'New model',
    detail: 'from the gallery, blank or files',
    to: '/models/new',
    icon: IconPlus,
  },
  {
    group: 'Pages',
    label: 'Overview',
    detail: '',
    to: '/',
    icon: IconLayoutDashboard,
    keys: ['G', 'O'],
  },
  {
    group: 'Pages',
    label: 'Models',
    detail: '',
    to: '/models',
    icon: IconFileCode,
    keys: ['G', 'M'],
  },
  { group: 'Pages', label: 'Data', detail: '', to: '/data', icon: IconDatabase, keys: ['G', 'D'] },
  {
    group: 'Pages',
    label: 'Workflows',
    detail: '',
    to: '/workflows',
    icon: IconArrowsSplit2,
    keys: ['G', 'W'],
  },
  {
    group: 'Pages',
    label: 'Experiments',
    detail: '',
    to: '/experiments',
    icon: IconChartLine,
    keys: ['G', 'E'],
  },
  {
    group: 'Pages',
    label: 'Shares',
    detail: '',
    to: '/shares',
    icon: IconShare3,
    keys: ['G', 'S'],
  },
  { group: 'Pages', label: 'Functions', detail: '', to: '/functions', icon: IconBolt },
  { group: 'Pages', label: 'Events', detail: '', to: '/events', icon: IconCalendarEvent },
  { group: 'Pages', label: 'Callbacks', detail: '', to: '/callbacks', icon: IconWebhook },
  { group: 'Pages', label: 'Relations', detail: '', to: '/relations', icon: IconLink },
  { group: 'Pages', label: 'Account', detail: '', to: '/account', icon: IconUser },
];

/** State of an object in few words: "Running, 66 %", "3 checks failed", "v3", "214 B". */
export function detailOf(object: ListEntry): string {
  switch (object.object_type) {
    case 'experiment': {
      const { word } = statusOf(object);
      const percent = object.status === 'RUN' ? percentDone(object) : null;
      if (percent !== null) return `${word}, ${percent} %`;
      const verdict = object.status === 'FIN' ? object.meta?.verdict : null;
      return verdict ? verdictWords(verdict, object.n_chains) : word;
    }
    case 'model':
      return object.version === undefined ? '' : `v${object.version}`;
    case 'data':
      return object.size === undefined ? object.fmt : formatBytes(object.size);
    default:
      return '';
  }
}
