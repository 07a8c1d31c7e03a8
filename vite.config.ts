import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

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

/** Modules of the frame, which every page shows. */
const firstViewModules =
  /dashboard[\\/](routes[\\/]([^?]*$|_app\.tsx)|services|features[\\/](status[\\/]|account[\\/]account-menu|notifications[\\/](bell|queries)|palette[\\/]palette(-button|\.module)|live[\\/]running-count)|ui[\\/](message-page|page-skeleton|toasts|list-search|page-head|breadcrumbs|relative-time|numbers|duration|app-frame|shortcuts|connection-banner|person-mark|logo|use-first-quiet|query-problem|empty-state|use-delete|save-file))|src[\\/](contract[\\/](?!live|function-api)|client[\\/](?!sockets|upload))|src[\\/](figures[\\/]palette|shared[\\/]|formats[\\/]base64)|@tanstack[\\/](react-query|query-core)[\\/]|@mantine[\\/](core[\\/]esm[\\/](core|components[\\/](Anchor|ScrollArea[\\/]utils|Text|TextInput|InputBase|Input|VisuallyHidden))[\\/]|hooks[\\/]esm[\\/](utils|use-force-update))/;
/** What opens over a page: menus, dialogs, what pops up. */
const overlayModules =
  /@floating-ui|react-remove-scroll|react-style-singleton|use-sidecar|use-callback-ref|@mantine[\\/]core[\\/]esm[\\/](components[\\/](Popover|Menu|Modal|ModalBase|FocusTrap|ScrollArea|Portal|Overlay|Transition|Select|Combobox)[\\/]|utils[\\/]Floating)/;
/** A page that lists objects. */
const listModules =
  /dashboard[\\/](ui[\\/](list-t|chip|filtered-empty|use-selection)|features[\\/]live[\\/](object-list|use-object-list|list-f|export-button))/;
/** A card with a plot, without Plotly. */
const plotModules =
  /dashboard[\\/]plots[\\/](warm-|plot\.|plot-card|draw-trace|export-figure|figure-t|use-)|src[\\/]figures[\\/](figure|palette|trace-figure|table-csv)\.ts/;
/** Draws of a run, and how it is followed. */
const liveModules =
  /dashboard[\\/]features[\\/]live[\\/](draws-|sample-(file|address)|thin-draws|use-poll|use-run-push|poll-policy|watched-runs)|src[\\/]posterior[\\/]verdict/;
/** The page of an experiment with the tab it opens on; the other tabs are chunks of their own. */
const experimentModules =
  /dashboard[\\/](routes[\\/]_app\.experiments\.\$experimentId|features[\\/]experiment[\\/](chain-strip|chosen-variables|experiment|figure-variables|more-draws|no-draws|queries|run-facts|trace|use-experiment-actions|use-live|use-overview|variable-(groups|tree)|verdict-line|zoom-tools))/;
/** Controls of forms and of pages that show one object. */
const controlModules =
  /@mantine[\\/]core[\\/]esm[\\/]components[\\/](Tabs|NumberInput|Switch|Textarea|NativeSelect|Combobox[\\/](ComboboxChevron|Combobox\.module|get-parsed))|react-number-format|dashboard[\\/]ui[\\/]tab-strip/;
/** Programs and their files, and how a run of them is begun. */
const programModules =
  /dashboard[\\/](editor[\\/](file-tree|languages|tree-nodes|use-stan)|features[\\/]live[\\/](launch-|use-launch|run-reason|code-words|setting-input))/;

export default defineConfig({
  plugins: [
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
  ],
  // Plotly's dependencies speak of Node's `global`.
  define: { global: 'globalThis' },
  resolve: {
    // Plotly pulls in the style sheet of its map traces, which our bundle does not hold.
    alias: {
      'maplibre-gl/dist/maplibre-gl.css': new URL(
        './src/dashboard/plots/empty.css',
        import.meta.url,
      ).pathname,
    },
  },
  build: {
    outDir: 'dist/web',
    target: 'es2022',
    chunkSizeWarningLimit: 5000,
    emptyOutDir: true,
    // Many tiny chunks compress badly and cost a request each: what every page needs goes together.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 4 },
            { name: 'first', test: firstViewModules },
            { name: 'base', tags: ['$initial'] },
            { name: 'lists', test: listModules },
            { name: 'controls', test: controlModules },
            { name: 'overlays', test: overlayModules },
            { name: 'virtual', test: /@tanstack[\\/](react-virtual|virtual-core)/ },
            { name: 'plots', test: plotModules },
            { name: 'live', test: liveModules },
            { name: 'programs', test: programModules },
            { name: 'experiment', test: experimentModules },
          ],
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
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**', 'node_modules/**'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // jsdom gives every element no size, so the trap finds nothing to focus and prints the whole tree of fibers.
    onConsoleLog: (log) => !log.includes('use-focus-trap'),
  },
});
