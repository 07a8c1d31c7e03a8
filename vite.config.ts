import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { beginWithRoute } from './src/dashboard/build/begin-with-route.ts';
import { chunkGroups } from './src/dashboard/build/chunk-groups.ts';
import { packedBeside } from './src/dashboard/build/packed-beside.ts';
import { withoutRequests } from './src/dashboard/build/without-requests.ts';
import { dashboardFiles } from './tests/support/dashboard-files.ts';
import { leftOut } from './tests/support/long-tests.mjs';
import { slowestFirst } from './tests/support/slowest-first.ts';

/** `npm run dev` proxies these paths to the service; everything else is the dashboard. */
const servicePaths = [
  '/api',
  '/base',
  '/sys',
  '/invoke',
  '/command',
  '/download',
  '/files',
  '/mcmc',
  '/openapi.json',
  '/run',
];
const serviceOrigin = process.env.ERGODIC_DEV_SERVICE ?? 'http://127.0.0.1:8650';

/** Tests of rooms that compute without keeping state between calls. */
const pure = [
  'architecture',
  'contract',
  'engine',
  'figures',
  'formats',
  'gallery',
  'language',
  'mapping',
  'math',
  'posterior',
  'shared',
].map((room) => `tests/${room}/**/*.test.ts`);

/** What `npm test` does not run. */
const apart = [
  ...leftOut,
  'tests/faults/**',
  ...(process.env.TEST_SLURM === undefined ? ['tests/slurm/**'] : []),
];

const slowest = [
  'tests/service/runs/kill-work',
  'tests/service/runs/chain-failures',
  'tests/service/runs/kill-calibration',
  'tests/service/runs/kill',
  'tests/service/serve/',
  'tests/service/outside-runners/kill',
  'tests/service/runs/interrupted',
  'tests/service/runs/pipeline',
  'tests/service/runs/bad-programs',
  'tests/service/packages/tasks',
  'tests/service/functions/',
  'tests/service/guests/guest-process',
  'tests/service/routes/at-once',
  'tests/conformance/endpoints',
  'tests/cli/',
  'tests/dashboard/documented-server',
  'tests/dashboard/compare/compare-page',
  'tests/dashboard/experiment/',
  'tests/engine/posteriordb',
  'tests/engine/',
];

const common = {
  environment: 'node',
  // Bounds on hanging, not on speed: the machine may be slow and busy.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  pool: 'forks',
} as const;

/** How the dashboard's sources become modules, both in the build and in its tests. */
const makeDashboard = () => ({
  plugins: [
    withoutRequests(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // The frame is in the first chunk: every page waits for it.
      codeSplittingOptions: {
        splitBehavior: ({ routeId }) => (routeId === '/_app' ? [] : undefined),
      },
      routesDirectory: 'src/dashboard/routes',
      generatedRouteTree: 'src/dashboard/route-tree.gen.ts',
    }),
    react(),
    beginWithRoute(),
    packedBeside(),
  ],
  // Plotly's dependencies refer to Node's `global`.
  define: { global: 'globalThis' },
  resolve: {
    // Plotly pulls in the style sheet of its map traces, which our bundle does not include.
    alias: {
      'maplibre-gl/dist/maplibre-gl.css': new URL(
        './src/dashboard/plots/empty.css',
        import.meta.url,
      ).pathname,
    },
  },
});

/** Packages that page tests load as one file each. Includes all with a React context, or there would be two of it. */
const bundledPackages = [
  '@mantine/core',
  '@mantine/hooks',
  '@mantine/notifications',
  '@tabler/icons-react',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  '@testing-library/react',
  'react',
  'react-dom',
  'react-dom/client',
];

const fakeMonaco = new URL('./tests/support/fake-monaco.ts', import.meta.url).pathname;
const fakePlotly = new URL('./tests/support/fake-plotly.ts', import.meta.url).pathname;
const quickPolls = new URL('./tests/support/quick-polls.ts', import.meta.url).pathname;
const { plain, pages, replacing } = dashboardFiles(import.meta.dirname);

/** Tests of pages, in a window. */
const page = {
  ...common,
  environment: 'happy-dom',
  // Each process would load these hundreds of files one by one.
  deps: { optimizer: { client: { enabled: true, include: bundledPackages } } },
  setupFiles: ['tests/support/quick-react.ts', 'tests/support/empty-pages.ts'],
  // What a window without layout cannot run, and what takes as long as a page would.
  alias: [
    { find: /^\.\/monaco\.ts$/, replacement: fakeMonaco },
    { find: /^\.\/plotly\.ts$/, replacement: fakePlotly },
    { find: /^\.\/poll-policy\.ts$/, replacement: quickPolls },
  ],
};

export default defineConfig({
  ...makeDashboard(),
  build: {
    outDir: 'dist/web',
    target: 'es2022',
    chunkSizeWarningLimit: 5000,
    emptyOutDir: true,
    // Many tiny chunks compress badly and cost a request each: code that every page needs goes together.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: chunkGroups,
        },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: Object.fromEntries(
      servicePaths.map((path) => [path, { target: serviceOrigin, ws: true }]),
    ),
  },
  test: {
    maxWorkers: 3,
    sequence: { sequencer: slowestFirst(slowest) },
    projects: [
      {
        test: {
          ...common,
          name: 'service',
          include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
          exclude: [...pure, ...apart, 'tests/dashboard/**', 'tests/e2e/**', 'node_modules/**'],
          // Loading the service's packages takes longer than many tests, so a process runs one file after another.
          isolate: false,
          setupFiles: ['tests/support/fresh-modules.ts'],
        },
      },
      {
        // Starting a process and loading packages takes longer than most of these tests.
        ...makeDashboard(),
        test: {
          ...common,
          name: 'dashboard without a window',
          include: plain,
          isolate: false,
          setupFiles: ['tests/support/fresh-modules.ts'],
        },
      },
      { ...makeDashboard(), test: { ...page, name: 'dashboard', include: pages, isolate: false } },
      {
        ...makeDashboard(),
        test: { ...page, name: 'dashboard with replaced modules', include: replacing },
      },
      // These rooms have no state, so their files share the modules too.
      { test: { ...common, name: 'pure', include: pure, isolate: false } },
    ],
  },
});
