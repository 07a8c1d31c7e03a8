/**
 * What `npm test` leaves to `npm run test:long`, so that it ends in about nine minutes on two cores: one test in thirteen,
 * which together take four fifths of the time. CI runs both. A file or folder belongs here if it takes long and a faster
 * test covers the ordinary path. Plain JavaScript, because the runner reads it.
 */

/** Starts of paths from the root of the repository. */
export const longTests = [
  // Processes and databases that are killed, frozen or cut off, and come back.
  'tests/service/chaos/',
  'tests/service/postgres/',
  'tests/service/repositories/failover',
  'tests/service/repositories/lost-connections',
  'tests/service/runs/bad-programs',
  'tests/service/runs/chain-failures',
  'tests/service/runs/interrupted',
  'tests/service/runs/kill',
  'tests/service/serve/',
  'tests/service/worker/',

  // Programs in other languages, other samplers and pools of machines.
  'tests/clients/',
  'tests/service/cluster/',
  'tests/service/functions/',
  'tests/service/guests/',
  'tests/service/language-runtimes/',
  'tests/service/packages/',
  'tests/support/parts.test.ts',

  // The command line as a process of its own, from start to exit.
  'tests/cli/commands',
  'tests/cli/import-export',
  'tests/cli/run.test.ts',
  'tests/cli/slurm.test.ts',
  'tests/cli/watch',

  // Programs that loop or grow until a limit ends them, and calibrations of whole samplers.
  'tests/engine/calibration/calibration.test',
  'tests/engine/workers/node-host',
  'tests/engine/workers/stan-programs',

  // Whole runs of every algorithm, large files, open sockets and slow senders, and many acts at random.
  'tests/conformance/messages',
  'tests/security/any-input',
  'tests/security/crowds',
  'tests/security/integers',
  'tests/service/analysis/',
  'tests/service/events/',
  'tests/service/http/hostile-bodies',
  'tests/service/http/json-pieces',
  'tests/service/http/slow-senders',
  'tests/service/imports/',
  'tests/service/jobs/',
  'tests/service/live/experiment-socket',
  'tests/service/live/socket-bounds',
  'tests/service/outside-runners/',
  'tests/service/policy/random-acts',
  'tests/service/repositories/blobs',
  'tests/service/repositories/draws',
  'tests/service/results/',
  'tests/service/routes/at-once',
  'tests/service/runs/algorithms',
  'tests/service/runs/calibration',
  'tests/service/runs/log-density',
  'tests/service/runs/moment-matching',
  'tests/service/runs/run-labels',
  'tests/service/runs/shared-warmup',
  'tests/service/runs/tuples',
  'tests/service/storage/',
  'tests/service/tracing/',

  // Browser: every page in both colour schemes, and one story for each feature.
  'tests/e2e/accessibility',
  'tests/e2e/first-minute',
  'tests/e2e/hidden-tab',
  'tests/e2e/hostile-content',
  'tests/e2e/import-draws',
  'tests/e2e/keyboard',
  'tests/e2e/looks',
  'tests/e2e/odd-objects',
  'tests/e2e/openings',
  'tests/e2e/rough-weather',
  'tests/e2e/sharing',
  'tests/e2e/stories-',
];

/** For `exclude` of vitest: patterns of the tests to leave out. */
export const leftOut =
  process.env.TEST_LENGTH === 'short' ? longTests.map((start) => `${start}**`) : [];
