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

const searched = (
  kind: ObjectKind,
  group: string,
  own: Partial<SearchedList> = {},
): SearchedList => {
  const [path, icon] = pages[kind];
  return { kind, group, path, icon, ...own };
};

export const searchedKinds: readonly SearchedList[] = [
  searched('experiment', 'Experiments'),
  searched('model', 'Models'),
  searched('data', 'Data'),
  searched('workflow', 'Workflows', { isRare: true }),
  searched('model', 'Functions', {
    path: '/functions/',
    icon: IconBolt,
    tags: functionTags,
    isRare: true,
  }),
  searched('project', 'Projects', { isRare: true, needs: 'projects' }),
  searched('event', 'Events', { isRare: true }),
];

/** Straight to a complete typed id of any kind. */
export function targetOfId(text: string): Target | null {
  const kind = kindOfId(text);
  if (kind === null) return null;
  const [path, icon] = pages[kind];
  return { group: 'Ids', label: text, detail: `open this ${kind}`, to: path + text, icon };
}

const actions: readonly Omit<Target, 'group'>[] = [
  {
    label: 'New experiment',
    detail: 'pick a model and run it',
    to: '/experiments/new',
    icon: IconPlayerPlay,
  },
  {
    label: 'New model',
    detail: 'from the gallery, blank or files',
    to: '/models/new',
    icon: IconPlus,
  },
  {
    label: 'Import draws',
    detail: 'of a run made elsewhere',
    to: '/experiments/new?way=import',
    icon: IconUpload,
  },
  {
    label: 'New event',
    detail: 'a name that can be fired',
    to: '/events?make=true',
    icon: IconCalendarEvent,
  },
  {
    label: 'New callback',
    detail: 'a program that events call',
    to: '/callbacks?make=true',
    icon: IconWebhook,
  },
  {
    label: 'New relation',
    detail: 'an event calls a function',
    to: '/relations?make=true',
    icon: IconLink,
  },
  {
    label: 'Running experiments',
    detail: 'what is running now',
    to: '/experiments?status=RUN',
    icon: IconChartLine,
  },
  {
    label: 'Failed experiments',
    detail: 'and why they failed',
    to: '/experiments?status=ERR',
    icon: IconChartLine,
  },
  {
    label: 'Shared with me',
    detail: 'what others shared with me',
    to: '/shares?tab=with-me',
    icon: IconShare3,
  },
];

const fixedPages: readonly Omit<Target, 'group' | 'detail'>[] = [
  { label: 'Overview', to: '/', icon: IconLayoutDashboard, keys: ['G', 'O'] },
  { label: 'Models', to: '/models', icon: IconFileCode, keys: ['G', 'M'] },
  { label: 'Data', to: '/data', icon: IconDatabase, keys: ['G', 'D'] },
  { label: 'Workflows', to: '/workflows', icon: IconArrowsSplit2, keys: ['G', 'W'] },
  { label: 'Experiments', to: '/experiments', icon: IconChartLine, keys: ['G', 'E'] },
  { label: 'Shares', to: '/shares', icon: IconShare3, keys: ['G', 'S'] },
  { label: 'Projects', to: '/projects', icon: IconFolders, needs: 'projects' },
  { label: 'Functions', to: '/functions', icon: IconBolt },
  { label: 'Events', to: '/events', icon: IconCalendarEvent },
  { label: 'Callbacks', to: '/callbacks', icon: IconWebhook },
  { label: 'Relations', to: '/relations', icon: IconLink },
  { label: 'Queue', to: '/queue', icon: IconStack2, needs: 'queue' },
  { label: 'Notifications', to: '/notifications', icon: IconBell },
  { label: 'Account', to: '/account', icon: IconUser },
];

export const fixedTargets: readonly Target[] = [
  ...actions.map((action) => ({ group: 'Actions', ...action })),
  ...fixedPages.map((page) => ({ group: 'Pages', detail: '', ...page })),
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
