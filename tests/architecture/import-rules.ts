/** The import directions of the rooms as data: what each may import, and what to do if a line breaks the rule. */

/** Rooms of `src`; `entry` are the files directly in it. */
export type Room =
  | 'shared'
  | 'contract'
  | 'client'
  | 'math'
  | 'posterior'
  | 'language'
  | 'engine'
  | 'formats'
  | 'mapping'
  | 'figures'
  | 'gallery'
  | 'service'
  | 'dashboard'
  | 'cli'
  | 'entry';

export const mayImport: Readonly<Record<Room, readonly Room[]>> = {
  shared: [],
  contract: ['shared'],
  client: ['shared', 'contract'],
  math: ['shared'],
  posterior: ['shared', 'math'],
  language: ['shared'],
  engine: ['shared', 'math', 'language', 'posterior'],
  formats: ['shared', 'posterior'],
  mapping: ['shared', 'formats', 'language'],
  figures: ['shared', 'posterior'],
  gallery: ['shared'],
  service: [
    'shared',
    'contract',
    'language',
    'engine',
    'posterior',
    'formats',
    'mapping',
    'figures',
    'gallery',
    'math',
  ],
  dashboard: [
    'shared',
    'contract',
    'client',
    'language',
    'posterior',
    'formats',
    'mapping',
    'figures',
  ],
  cli: [
    'shared',
    'contract',
    'client',
    'language',
    'engine',
    'posterior',
    'formats',
    'mapping',
    'service',
  ],
  entry: ['shared', 'client', 'dashboard', 'service', 'cli'],
};

/** Single files that may be imported although their room may not: each needs its reason. */
export const exceptions: readonly { from: Room; file: string; reason: string }[] = [
  {
    from: 'dashboard',
    file: 'src/engine/settings-table.ts',
    reason: 'the table of sampling settings, which imports nothing, is what the launch form shows',
  },
  {
    from: 'dashboard',
    file: 'src/engine/settings.ts',
    reason:
      'reads a setting by that table alone, so the launch form refuses what the service would',
  },
  {
    from: 'dashboard',
    file: 'src/CHANGELOG.md',
    reason: 'what is new, which the help shows as it is written',
  },
];

/** Rooms that must run in a browser, a worker and Node alike; `engine/workers/node-*` is the entry to threads. */
export const pureRooms: readonly Room[] = [
  'shared',
  'contract',
  'client',
  'math',
  'posterior',
  'language',
  'engine',
  'formats',
  'mapping',
  'figures',
  'gallery',
];
export const impureFiles: readonly RegExp[] = [/^src\/engine\/workers\/(node-|chain-worker)/];

export const remedies: Partial<Record<Room, string>> = {
  shared: 'shared knows no domain: move what needs one into that room',
  contract: 'the contract is data: move behaviour to client or service',
  client: 'the client knows no screen: throw an ApiError and let the router react',
  language: 'language is pure text to text: link libraries in engine/compile-model.ts',
  math: 'math stands alone: pass what it needs as arguments',
  posterior: 'posterior is pure statistics: pass draws in',
  engine: 'engine knows no service: emit an event and let the service store it',
  figures: 'figures turn numbers into pictures: pass draws in, return figure JSON or SVG text',
  formats: 'formats read and write bytes: pass content in, return content',
  mapping: 'a mapping knows tables and data blocks: pass text in, return values',
  dashboard: 'the dashboard talks to any server: go through client and contract',
  service: 'the service must not know the dashboard or the command line',
};

/**
 * Folders whose files may import each other in a circle: a recursive descent over a tree, split by kind of node, is a
 * circle by nature. Cycles that leave the folder are still refused.
 */
export const recursiveFolders: readonly string[] = [
  'src/language/syntax',
  'src/language/types',
  'src/language/lower',
  'src/language/emit',
  'src/language/editor',
];

/**
 * The folders inside `service/`, lowest first: each may import itself, what is listed here, and nothing else; types
 * count too. A folder names only folders above it in this list, so there is no circle. `ground`, `context` and `entry`
 * are files directly in `service/`.
 */
export const serviceFolders: Readonly<Record<string, readonly string[]>> = {
  ground: [],
  repositories: ['ground'],
  postgres: ['ground', 'repositories'],
  migrations: ['ground', 'repositories'],
  jobs: ['ground', 'repositories'],
  storage: ['ground', 'repositories', 'migrations'],
  metrics: ['ground', 'repositories'],
  tracing: ['ground'],
  facts: ['repositories'],
  http: ['ground', 'repositories'],
  content: ['repositories', 'http'],
  reading: ['ground', 'repositories', 'http', 'content'],
  auth: ['ground', 'repositories', 'http'],
  fetching: ['ground', 'repositories', 'http', 'reading'],
  guests: ['ground', 'http'],
  context: ['ground', 'jobs', 'storage', 'http', 'reading', 'auth', 'fetching', 'guests'],
  policy: ['repositories', 'http', 'content', 'auth', 'context'],
  results: ['ground', 'repositories', 'http', 'content', 'auth', 'context', 'policy'],
  gallery: ['repositories', 'http', 'content', 'results'],
  functions: [
    'ground',
    'repositories',
    'jobs',
    'http',
    'fetching',
    'guests',
    'context',
    'policy',
    'results',
  ],
  runs: [
    'ground',
    'repositories',
    'jobs',
    'facts',
    'http',
    'content',
    'reading',
    'guests',
    'context',
    'results',
    'functions',
  ],
  'outside-runners': [
    'repositories',
    'jobs',
    'http',
    'content',
    'auth',
    'context',
    'policy',
    'results',
    'runs',
  ],
  'language-runtimes': ['ground', 'repositories', 'jobs', 'guests', 'runs', 'outside-runners'],
  analysis: [
    'ground',
    'repositories',
    'jobs',
    'facts',
    'http',
    'context',
    'policy',
    'results',
    'functions',
    'runs',
  ],
  imports: [
    'ground',
    'repositories',
    'jobs',
    'storage',
    'http',
    'fetching',
    'context',
    'gallery',
    'runs',
  ],
  exports: ['repositories', 'jobs', 'http', 'context', 'policy', 'results'],
  packages: [
    'repositories',
    'http',
    'reading',
    'content',
    'context',
    'policy',
    'functions',
    'runs',
  ],
  live: ['ground', 'repositories', 'http', 'auth', 'context', 'policy', 'results'],
  account: ['repositories', 'http', 'auth', 'context', 'policy'],
  kinds: [
    'repositories',
    'facts',
    'http',
    'content',
    'auth',
    'fetching',
    'context',
    'policy',
    'results',
    'gallery',
    'functions',
    'runs',
    'outside-runners',
    'analysis',
    'imports',
    'exports',
  ],
  routes: [
    'repositories',
    'http',
    'context',
    'policy',
    'results',
    'gallery',
    'functions',
    'outside-runners',
    'analysis',
    'imports',
    'exports',
    'packages',
    'account',
    'kinds',
  ],
  worker: [
    'ground',
    'repositories',
    'migrations',
    'storage',
    'reading',
    'fetching',
    'guests',
    'context',
    'results',
    'functions',
    'runs',
    'language-runtimes',
    'analysis',
    'imports',
  ],
  'reading-worker': [
    'http',
    'content',
    'reading',
    'fetching',
    'runs',
    'outside-runners',
    'analysis',
    'imports',
  ],
  entry: [
    'ground',
    'repositories',
    'postgres',
    'migrations',
    'metrics',
    'tracing',
    'jobs',
    'storage',
    'http',
    'reading',
    'auth',
    'fetching',
    'guests',
    'context',
    'results',
    'language-runtimes',
    'analysis',
    'live',
    'kinds',
    'routes',
    'worker',
  ],
};

/** Files directly in `service/` that are low-level; all others there are `entry`. */
export const serviceFiles: Readonly<Record<string, string>> = {
  'built-file.ts': 'ground',
  'config.ts': 'ground',
  'context.ts': 'context',
  'logging.ts': 'ground',
  'process-info.ts': 'ground',
  'release-memory.ts': 'ground',
  'restart-policy.ts': 'ground',
  'spans.ts': 'ground',
  'start-error.ts': 'ground',
  'oidc-config.ts': 'ground',
  'loopback.ts': 'ground',
};

export const serviceRemedy =
  'move what both need down, or publish a fact (facts/publish.ts) that a listener there passes on; a new edge is a word in serviceFolders';

/** SQL is allowed only in these folders. */
export const sqlFolders: readonly string[] = [
  'src/service/repositories/',
  'src/service/migrations/',
];

/** Files that use a connection all the same: each needs its reason. */
export const sqlExceptions: Readonly<Record<string, string>> = {
  'src/service/open-store.ts': 'creates the database that repositories work in',
  'src/service/jobs/keep-listening.ts': 'listens on a connection of its own',
  'src/service/jobs/pg-boss-queue.ts': 'notifies workers in the transaction that sends a job',
  'src/service/live/change-feed.ts': 'listens on a connection of its own and asks whether it lives',
  'src/service/worker/worker-loop.ts': 'listens on a connection of its own, whose lock is its life',
};

/**
 * Folders of the dashboard, from the bottom up. `feature` is any folder of `features` that is not named here itself,
 * `look` the colours and sizes, `entry` the files that assemble it.
 */
export type DashboardFolder =
  | 'look'
  | 'session'
  | 'threads'
  | 'ui'
  | 'objects'
  | 'plots'
  | 'editor'
  | 'status'
  | 'live'
  | 'lists'
  | 'launching'
  | 'mapper'
  | 'relations'
  | 'services'
  | 'feature'
  | 'routes'
  | 'build'
  | 'entry';

/** Rooms of `features` that every other feature may import. */
export const sharedFeatures = [
  'status',
  'live',
  'lists',
  'mapper',
  'launching',
  'relations',
] as const;

const shared = ['look', 'session', 'threads', 'ui', 'objects', 'plots', 'editor'] as const;

export const dashboardFolders: Readonly<Record<DashboardFolder, readonly DashboardFolder[]>> = {
  look: [],
  session: [],
  build: [],
  threads: [],
  ui: ['look'],
  objects: ['ui'],
  plots: ['look', 'threads', 'ui'],
  editor: ['look', 'threads', 'ui'],
  status: ['ui', 'objects'],
  live: ['threads', 'ui', 'objects'],
  lists: ['ui', 'objects'],
  mapper: ['threads', 'ui', 'objects', 'editor'],
  launching: ['ui', 'objects', 'editor', 'mapper'],
  relations: ['ui', 'objects'],
  services: ['session'],
  feature: [...shared, ...sharedFeatures, 'services'],
  routes: [...shared, ...sharedFeatures, 'services', 'feature', 'entry'],
  entry: [...shared, 'services', 'routes'],
};

export const dashboardRemedies: Readonly<Record<DashboardFolder, string>> = {
  look: 'colours and sizes import nothing',
  session: 'the session knows no screen: let it publish, and let the page listen',
  build: 'what Vite reads imports nothing of the page',
  threads: 'a thread knows no question: pass the answers in',
  ui: 'ui knows no object and no server: pass text and functions in, or move the part to objects',
  objects: 'objects know no screen: move what all kinds share here, the rest into a feature',
  plots: 'plots know no run: pass a figure request in',
  editor: 'the editor knows no server: pass files and functions in',
  status: 'how runs are named stands alone: move what is fetched to live or lists',
  live: 'how a run moves knows no list and no form: move what both need down to objects',
  lists: 'lists know no run: pass a column or a button in',
  mapper: 'the mapper knows no launch: pass what happens with the data in',
  launching: 'a launch knows no page: pass what happens after it in',
  relations: 'relations know no page: pass what happens after them in',
  services: 'services stand below every page: pass the page in',
  feature: 'features meet only in a route: move what both need to a shared room, or to objects',
  routes: 'a route is imported by the router alone',
  entry: 'the entry puts the folders together and imports no feature: use a route',
};
