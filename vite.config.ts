import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { beginWithRoute } from './src/dashboard/build/begin-with-route.ts';
import { chunkGroups } from './src/dashboard/build/chunk-groups.ts';

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
    beginWithRoute(),
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
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**', 'node_modules/**'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 3,
    // happy-dom gives every element no size, so the trap finds nothing to focus and prints the whole tree of fibers.
    onConsoleLog: (log) => !log.includes('use-focus-trap'),
  },
});
