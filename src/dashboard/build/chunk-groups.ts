/**
 * Which modules are shipped together. Without this a page loads dozens of small scripts in waves, each of which waits
 * for the one before it; with it, the frame, the part shared by its kind of page, and its own. Used by Vite only.
 */

/** A regular expression for modules in a folder whose names begin with one of these. */
const within = (folder: string, ...names: string[]) => `${folder}/(?:${names.join('|')})`;
// Module ids have forward slashes on every system.
const anyOf = (...places: string[]) => new RegExp(places.join('|'));

const ui = (...names: string[]) => within('dashboard/ui', ...names);
const feature = (name: string, ...names: string[]) =>
  within(`dashboard/features/${name}`, ...names);
const mantine = (...names: string[]) => within('@mantine/core/esm/components', ...names);

/** The frame, which every page shows. */
const firstView = anyOf(
  // before the styles of any component, which override them
  within('dashboard', 'layers\\.css', 'global\\.css'),
  '@mantine/core/styles\\.layer\\.css',
  '@fontsource-variable/',
  // a route without its page, which is a separate chunk (`?tsr-split=component`)
  within('dashboard/routes', '[^?-][^?]*$', '_app\\.tsx'),
  within(
    'dashboard',
    'services',
    'session/(?!open-link|provider-sign-in)',
    'objects/(?!delete-objects|gallery|gone|run-note|start-run)',
  ),
  feature('status', '(?!find-variables|longest-chain|program-absence|used-chains)'),
  feature('account', 'account-menu'),
  feature('notifications', 'bell', 'queries'),
  feature('palette', 'palette-button', 'palette\\.module'),
  feature('lists', 'running-count'),
  ui(
    'message-page',
    'page-skeleton',
    'toasts',
    'list-search',
    'page-head',
    'breadcrumbs',
    'relative-time',
  ),
  ui('numbers', 'duration', 'app-frame', 'shortcuts', 'connection-banner', 'person-mark', 'logo'),
  ui('card', 'use-first-quiet', 'query-problem', 'empty-state', 'lazy-part'),
  ui('form\\.', 'stored-text', 'use-search'),
  within('src', 'contract/(?!live|limits|function-api)', 'client/(?!sockets|upload|send-file)'),
  within('src', 'shared/(?!byte-counts|saved-iterations)', 'formats/base64', 'posterior/verdict-'),
  within('@tanstack', 'react-query/', 'query-core/'),
  '@mantine/core/esm/core/',
  mantine(
    'Anchor/',
    'ScrollArea/utils/',
    'Text/',
    'TextInput/',
    'InputBase/',
    'Input/',
    'VisuallyHidden/',
  ),
  within('@mantine/hooks/esm', 'utils', 'use-force-update'),
);

/** What opens over a page: menus, dialogs, popovers. */
const overlays = anyOf(
  '@floating-ui',
  'react-remove-scroll',
  'react-style-singleton',
  'use-sidecar',
  'use-callback-ref',
  mantine('Popover/', 'Menu/', 'Modal/', 'ModalBase/', 'FocusTrap/', 'ScrollArea/', 'Portal/'),
  mantine('Overlay/', 'Transition/', 'Select/', 'Combobox/'),
  '@mantine/core/esm/utils/Floating',
  ui('menu-actions', 'name-field'),
);

/** A page that lists objects. */
const lists = anyOf(
  ui('list-t', 'use-selection'),
  feature('lists', 'object-list', 'use-object-list', 'list-fields'),
  feature('sharing', 'use-share-rows'),
);

/** A card with a plot, without Plotly. */
const plots = anyOf(
  within('dashboard/plots', 'warm-', 'plot\\.', 'plot-card', 'export-figure', 'figure-t', 'use-'),
  within('src/figures', 'figure\\.ts', 'palette\\.ts', 'trace-figure\\.ts', 'table-csv\\.ts'),
);

/** Draws of a run, and following it live. */
const live = anyOf(
  feature('live', 'draws-', 'sample-file', 'sample-address', 'thin-draws'),
  feature('live', 'use-poll', 'use-run-push', 'poll-policy', 'watched-runs'),
  feature('status', 'longest-chain', 'used-chains'),
  'src/posterior/(verdict|chain-usage)\\.',
);

/** The page of an experiment with its initial tab, without the owner's actions; the other tabs are separate chunks. */
const experiment = anyOf(
  feature('experiment/run', ''),
  feature('experiment/page', 'experiment-', 'more-draws', 'verdict-line'),
  feature(
    'experiment/plots',
    'chosen-variables',
    'trace',
    'use-overview',
    'variable-tree',
    'zoom-range',
  ),
);

/** Controls and tables of pages without a form. */
const tabs = anyOf(
  mantine('Tabs/', 'NativeSelect/', 'Switch/'),
  mantine('Combobox/ComboboxChevron', 'Combobox/Combobox\\.module', 'Combobox/get-parsed'),
  ui('tab-strip', 'table-head'),
);

/** Controls of forms and of pages that show one object. */
const controls = anyOf(mantine('NumberInput/', 'Textarea/'), 'react-number-format');

/** Programs and their files, and starting runs of them. */
const programs = anyOf(
  within('dashboard/editor', 'file-tree', 'languages', 'tree-nodes', 'use-stan'),
  feature('launching', 'launch-', 'use-launch', 'run-reason', 'setting-input'),
);

/** The first that matches takes a module, and with it the modules that only it needs. */
export const chunkGroups = [
  { name: 'icons', test: /@tabler\/icons-react/, minShareCount: 4 },
  { name: 'first', test: firstView },
  { name: 'base', tags: ['$initial' as const] },
  { name: 'lists', test: lists },
  // the page of an experiment needs nothing more
  { name: 'tabs', test: tabs },
  { name: 'controls', test: controls },
  { name: 'overlays', test: overlays },
  { name: 'virtual', test: anyOf(within('@tanstack', 'react-virtual', 'virtual-core')) },
  // on pages of every kind, which must not fetch each other's scripts for them
  { name: 'segments', test: anyOf(mantine('SegmentedControl/', 'FloatingIndicator/')) },
  {
    name: 'actions',
    test: anyOf(
      ui('page-actions', 'use-chord', 'printing', 'code-text', 'help-'),
      ui('save-file', 'lazy-markdown'),
      'dashboard/objects/(?:gone|start-run)',
      'shared/saved-iterations',
      feature('status', 'program-absence'),
    ),
  },
  { name: 'file-input', test: anyOf(ui('file-input', 'dropped-files')) },
  // shared by callers of every worker: a page of programs needs no plots for it
  { name: 'threads', test: anyOf(within('dashboard/threads', '')) },
  { name: 'plots', test: plots },
  { name: 'live', test: live },
  { name: 'programs', test: programs },
  { name: 'sharing', test: anyOf(feature('sharing', 'own-sharing')) },
  { name: 'experiment', test: experiment },
];
