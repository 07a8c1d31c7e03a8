/**
 * For each row of the endpoint table: a success, and a call for each error it documents. A type error here means that a
 * row has no case.
 */
import type { EndpointName } from '../../src/contract/endpoints.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { accountCases } from './cases-account.ts';
import { formatCases } from './cases-formats.ts';
import { liveCases } from './cases-live.ts';
import { objectCases } from './cases-objects.ts';
import { packageCases } from './cases-packages.ts';
import { queueCases } from './cases-queue.ts';
import { runnerCases } from './cases-runner.ts';
import { runCases } from './cases-runs.ts';
import { signInCases } from './cases-sign-in.ts';
import { teamCases } from './cases-teams.ts';
import { uploadCases } from './cases-uploads.ts';
import type { World } from './world.ts';

type Act = (world: World) => Promise<unknown>;

export interface Case {
  readonly success: Act;
  readonly errors: Partial<Record<ErrorCode, Act>>;
}

export const cases: Record<EndpointName, Case> = {
  ...objectCases,
  ...runCases,
  ...accountCases,
  ...liveCases,
  ...runnerCases,
  ...formatCases,
  ...packageCases,
  ...queueCases,
  ...uploadCases,
  ...signInCases,
  ...teamCases,
};
