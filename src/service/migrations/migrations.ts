/**
 * The schema: SQL files by topic, in order and all frozen: the next change needs a new file and a new line here.
 * The resulting rows are typed in `repositories/tables.ts`, which a test rebuilds from the schema.
 */
import accounts from './001-accounts.sql?raw';
import objects from './002-objects.sql?raw';
import content from './003-content.sql?raw';
import runs from './004-runs.sql?raw';
import draws from './005-draws.sql?raw';
import sharing from './006-sharing.sql?raw';
import functions from './007-functions.sql?raw';
import analyses from './008-analyses.sql?raw';
import builtinAnalyzer from './009-builtin-analyzer.sql?raw';
import listSearch from './010-list-search.sql?raw';
import foldedNames from './011-folded-names.sql?raw';
import savedViews from './012-saved-views.sql?raw';
import projects from './013-projects.sql?raw';
import momentMatching from './014-moment-matching.sql?raw';
import uploads from './015-uploads.sql?raw';
import cluster from './016-cluster.sql?raw';
import singleSignOn from './017-single-sign-on.sql?raw';
import teams from './018-teams.sql?raw';
import queue from './019-queue.sql?raw';
import runOrigins from './020-run-origins.sql?raw';
import scale from './021-scale.sql?raw';
import workerJobs from './022-worker-jobs.sql?raw';
import queueAndLists from './023-queue-and-lists.sql?raw';
import longQueues from './024-long-queues.sql?raw';
import searchedNames from './025-searched-names.sql?raw';
import sharedWarmup from './026-shared-warmup.sql?raw';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  { number: 1, name: 'accounts', sql: accounts },
  { number: 2, name: 'objects', sql: objects },
  { number: 3, name: 'content', sql: content },
  { number: 4, name: 'runs', sql: runs },
  { number: 5, name: 'draws', sql: draws },
  { number: 6, name: 'sharing', sql: sharing },
  { number: 7, name: 'functions', sql: functions },
  { number: 8, name: 'analyses', sql: analyses },
  { number: 9, name: 'builtin-analyzer', sql: builtinAnalyzer },
  { number: 10, name: 'list-search', sql: listSearch },
  { number: 11, name: 'folded-names', sql: foldedNames },
  { number: 12, name: 'saved-views', sql: savedViews },
  { number: 13, name: 'projects', sql: projects },
  { number: 14, name: 'moment-matching', sql: momentMatching },
  { number: 15, name: 'uploads', sql: uploads },
  { number: 16, name: 'cluster', sql: cluster },
  { number: 17, name: 'single-sign-on', sql: singleSignOn },
  { number: 18, name: 'teams', sql: teams },
  { number: 19, name: 'queue', sql: queue },
  { number: 20, name: 'run-origins', sql: runOrigins },
  { number: 21, name: 'scale', sql: scale },
  { number: 22, name: 'worker-jobs', sql: workerJobs },
  { number: 23, name: 'queue-and-lists', sql: queueAndLists },
  { number: 24, name: 'long-queues', sql: longQueues },
  { number: 25, name: 'searched-names', sql: searchedNames },
  { number: 26, name: 'shared-warmup', sql: sharedWarmup },
];
