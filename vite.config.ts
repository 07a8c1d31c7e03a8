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
  /dashboard[\\/](routes[\\/][^?]*$|services|ui[\\/](message-page|page-skeleton|toasts|list-search|page-head|breadcrumbs|relative-time|numbers|duration|app-frame|shortcuts|connection-banner|person-mark|logo))|src[\\/](contract[\\/](?!live|function-api)|client[\\/](?!sockets|upload))/;

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
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
