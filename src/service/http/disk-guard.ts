/** Handles requests on a full disk: those that free space use the reserve, those that need space get an error. */
import { type EndpointName, endpoints } from '../../contract/endpoints.ts';
import { isDiskFull } from '../repositories/database.ts';
import type { AnyHandler, Call, Handlers } from './call.ts';
import { diskFull } from './error-handler.ts';

/** What the guard uses of the reserve. */
export interface GuardedReserve {
  isGivenUp(): boolean;
  giveUp(): boolean | Promise<boolean>;
  refill(force?: boolean): Promise<void>;
}

export interface DiskGuardOptions {
  readonly reserve: GuardedReserve;
  /** After space was freed: lets the database return it to the disk. */
  readonly settle: () => Promise<void>;
}

/** Signing in and out and deleting work even when the disk is full. */
const freeing: ReadonlySet<EndpointName> = new Set([
  'deleteObject',
  'deleteObjects',
  'deleteTokens',
  'deleteUpload',
  'deleteLinkedAccounts',
  'freeSpace',
  'login',
  'openLink',
  'logout',
]);
const stopping: ReadonlySet<unknown> = new Set(['stop', 'pause']);

function freesRoom(name: EndpointName, call: Call<EndpointName>): boolean {
  if (freeing.has(name)) return true;
  const { payload } = (call.body ?? {}) as { payload?: { object_type?: string; action?: string } };
  return payload?.object_type === 'experiment' && stopping.has(payload.action);
}

export function guardDisk(handlers: Handlers, { reserve, settle }: DiskGuardOptions): Handlers {
  const guarded = Object.entries(handlers).map(([key, plain]) => {
    const name = key as EndpointName;
    const handler = plain as AnyHandler;
    const isReading = endpoints[name].method === 'GET';
    const run: AnyHandler = async (call) => {
      const isFreeing = freesRoom(name, call);
      const wasGivenUp = !isReading && reserve.isGivenUp();
      if (wasGivenUp && !isFreeing) throw diskFull();
      try {
        return await handler(call);
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        // if several fail at the same time, one releases the reserve, and all of them have space
        const isRoomNew = (await reserve.giveUp()) || (!wasGivenUp && reserve.isGivenUp());
        if (!isFreeing || !isRoomNew) throw error;
        return handler(call);
      }
    };
    if (name !== 'freeSpace') return [name, run];
    const settled: AnyHandler = async (call) => {
      const answer = await run(call);
      if (reserve.isGivenUp()) {
        await settle().catch(() => {});
        await reserve.refill(true);
      }
      return answer;
    };
    return [name, settled];
  });
  return Object.fromEntries(guarded) as Handlers;
}
