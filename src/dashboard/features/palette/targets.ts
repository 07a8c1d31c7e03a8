/** Targets of the palette: objects, actions, pages. */
import {
  IconArrowsSplit2,
  IconBell,
  IconBolt,
  IconCalendarEvent,
  IconChartLine,
  IconDatabase,
  IconFileCode,
  IconFolders,
  IconLayoutDashboard,
  IconLink,
  IconPlayerPlay,
  IconPlus,
  IconShare3,
  IconStack2,
  IconUpload,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { kindOfId, type ObjectKind } from '../../../contract/common.ts';
import type { ListEntry } from '../../../contract/objects.ts';
import type { Capability } from '../../../contract/system.ts';
import { formatBytes } from '../../ui/numbers.ts';
import { functionTags } from '../relations/joinable.ts';
import { runVerdict } from '../status/run-verdict.ts';
import { statusOf } from '../status/status-badge.tsx';
import { percentDone } from '../status/verdict-mark.tsx';

export interface Target {
  readonly group: string;
  readonly label: string;
  readonly detail: string;
  readonly to: string;
  /** What it does instead of going to `to`. */
  readonly run?: () => void;
  readonly icon: ComponentType<{ size: number }>;
  /** Keys that go there without the palette. */
  readonly keys?: readonly string[];
  /** Only servers with this capability have it. */
  readonly needs?: Capability;
}

export interface SearchedList {
  readonly kind: ObjectKind;
  readonly group: string;
  readonly path: string;
  readonly icon: Target['icon'];
  /** Only these of the kind. */
  readonly tags?: readonly string[];
  /** Requested only once something is typed: few people look for them. */
  readonly isRare?: boolean;
  /** Only servers with this capability have it. */
  readonly needs?: Capability;
}

export const searchedKinds: readonly SearchedList[] = [
  { kind: 'experiment', group: 'Experiments', path: '/experiments/', icon: IconChartLine },
  { kind: 'model', group: 'Models', path: '/models/', icon: IconFileCode },
  { kind: 'data', group: 'Data', path: '/data/', icon: IconDatabase },
  {
    kind: 'workflow',
    group: 'Workflows',
    path: '/workflows/',
    icon: IconArrowsSplit2,
    isRare: true,
  },
  {
    kind: 'model',
    group: 'Functions',
    path: '/functions/',
    icon: IconBolt,
    tags: functionTags,
    isRare: true,
  },
  {
    kind: 'project',
    group: 'Projects',
    path: '/projects/',
    icon: IconFolders,
    isRare: true,
    needs: 'projects',
  },
  { kind: 'event', group: 'Events', path: '/events?id=', icon: IconCalendarEvent, isRare: true },
];

const pages: Readonly<Record<ObjectKind, readonly [path: string, icon: Target['icon']]>> = {
  experiment: ['/experiments/', IconChartLine],
  model: ['/models/', IconFileCode],
  data: ['/data/', IconDatabase],
  workflow: ['/workflows/', IconArrowsSplit2],
  share: ['/shares?q=', IconShare3],
  event: ['/events?id=', IconCalendarEvent],
  callback: ['/callbacks?id=', IconWebhook],
  relation: ['/relations?id=', IconLink],
  project: ['/projects/', IconFolders],
};

/** Straight to a complete typed id of any kind. */
export function targetOfId(text: string): Target | null {
  const kind = kindOfId(text);
  if (kind === null) return null;
  const [path, icon] = pages[kind];
  return { group: 'Ids', label: text, detail: `open this ${kind}`, to: path + text, icon };
}

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
    group: 'Actions',
    label: 'Import draws',
    detail: 'of a run made elsewhere',
    to: '/experiments/new?way=import',
    icon: IconUpload,
  },
  {
    group: 'Actions',
    label: 'New event',
    detail: 'a name that can be fired',
    to: '/events?make=true',
    icon: IconCalendarEvent,
  },
  {
    group: 'Actions',
    label: 'New callback',
    detail: 'a program that events call',
    to: '/callbacks?make=true',
    icon: IconWebhook,
  },
  {
    group: 'Actions',
    label: 'New relation',
    detail: 'an event calls a function',
    to: '/relations?make=true',
    icon: IconLink,
  },
  {
    group: 'Actions',
    label: 'Running experiments',
    detail: 'what is running now',
    to: '/experiments?status=RUN',
    icon: IconChartLine,
  },
  {
    group: 'Actions',
    label: 'Failed experiments',
    detail: 'and why they failed',
    to: '/experiments?status=ERR',
    icon: IconChartLine,
  },
  {
    group: 'Actions',
    label: 'Shared with me',
    detail: 'what others shared with me',
    to: '/shares?tab=with-me',
    icon: IconShare3,
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
  {
    group: 'Pages',
    label: 'Projects',
    detail: '',
    to: '/projects',
    icon: IconFolders,
    needs: 'projects',
  },
  { group: 'Pages', label: 'Functions', detail: '', to: '/functions', icon: IconBolt },
  { group: 'Pages', label: 'Events', detail: '', to: '/events', icon: IconCalendarEvent },
  { group: 'Pages', label: 'Callbacks', detail: '', to: '/callbacks', icon: IconWebhook },
  { group: 'Pages', label: 'Relations', detail: '', to: '/relations', icon: IconLink },
  { group: 'Pages', label: 'Queue', detail: '', to: '/queue', icon: IconStack2, needs: 'queue' },
  { group: 'Pages', label: 'Notifications', detail: '', to: '/notifications', icon: IconBell },
  { group: 'Pages', label: 'Account', detail: '', to: '/account', icon: IconUser },
];

/** State of an object in brief: "Running, 66 %", "3 checks failed", "v3", "214 B". */
export function detailOf(object: ListEntry): string {
  switch (object.object_type) {
    case 'experiment': {
      const { label } = statusOf(object);
      const percent = object.status === 'RUN' ? percentDone(object) : null;
      if (percent !== null) return `${label}, ${percent} %`;
      const isOver = object.status === 'FIN' || object.status === 'ERR';
      return (isOver ? runVerdict(object)?.headline : null) ?? label;
    }
    case 'model':
      return object.version === undefined ? '' : `v${object.version}`;
    case 'data':
      return object.size === undefined ? object.fmt : formatBytes(object.size);
    case 'workflow':
      return object.model_name ?? '';
    case 'event':
      return object.tags?.includes('builtin') ? 'fired by this server' : 'fired by you';
    default:
      return '';
  }
}
