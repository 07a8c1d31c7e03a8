/** A service whose functions run: a pool of guests, and the jobs of calls, scripts and events carried out by `drain`. */

import type { Client } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import type { CoreContext } from '../../../src/service/context.ts';
import { carryOutCall } from '../../../src/service/functions/run-call.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { runDataScript } from '../../../src/service/runs/data-script.handler.ts';
import { createDiskStore } from '../../../src/service/storage/disk-store.ts';
import { createJobContext } from '../../../src/service/worker/take-jobs.ts';
import { testGuests } from '../../support/guests.ts';
import { createTestService, type TestService } from '../../support/service.ts';

export interface FunctionService extends TestService {
  /** The context of a worker's jobs. */
  readonly context: CoreContext;
}

export async function createFunctionService(): Promise<FunctionService> {
  const service = await createTestService();
  const { pool } = service.database;
  const { queue } = service;
  const context = await createJobContext({
    pool,
    queue,
    files: createDiskStore(service.filesDir),
    logger: createLogger({ level: 'silent' }),
    guests: testGuests,
  });
  await queue.work('function_call', ({ callId }) => carryOutCall(context, callId));
  await queue.work('data_script', ({ experimentId }) => runDataScript(context, experimentId));
  return {
    ...service,
    context,
  };
}

/** Id of a function made from these files; `main.js` is its entry point. */
export async function addFunction(
  client: Client,
  files: string | Readonly<Record<string, string>>,
  options: {
    single_instance?: boolean;
    tags?: string[];
    entrance_file?: string;
    name?: string;
  } = {},
): Promise<string> {
  const named = typeof files === 'string' ? { 'main.js': files } : files;
  const tree = Object.entries(named).map(([name, content]) => ({
    name,
    content,
    encoding: 'text' as const,
  }));
  const payload = {
    object_type: 'model' as const,
    name: 'a function',
    tags: ['code'],
    content: { tree },
    ...options,
  };
  return expectKind(await client.createObject({ body: { payload } }), 'model').short_id;
}

/** `data` of the answer. */
export function callFunction(
  client: Client,
  target: string,
  parameters: Record<string, unknown> = {},
  getResponse = true,
) {
  return client.invoke({ body: { target, action: 'run', parameters, get_response: getResponse } });
}
