/** People who save data at several services in turn, and remember what was acknowledged. */
import { expect } from 'vitest';
import type { Served } from '../support/served.ts';

export interface WritingPeople {
  /** Names by id. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Waits until another is acknowledged. */
  untilAnother(): Promise<void>;
  stop(): Promise<void>;
}

export function startWriting(services: readonly Served[]): WritingPeople {
  const acknowledged = new Map<string, string>();
  let isStopping = false;
  const write = async (served: Served, name: string) => {
    const payload = { object_type: 'data', name, data: name };
    // not acknowledged if refused, cut off or answered with 503
    const answer = await served.call('POST', '/api/object', { payload }).catch(() => null);
    if (answer?.status === 'ok')
      acknowledged.set((answer.data as { short_id: string }).short_id, name);
    else await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const person = async (served: Served, at: number) => {
    for (let i = 0; !isStopping; i++) await write(served, `of ${at}, ${i}`);
  };
  const all = services.map(person);
  return {
    acknowledged,
    async untilAnother() {
      const { size } = acknowledged;
      while (acknowledged.size === size) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    async stop() {
      isStopping = true;
      await Promise.all(all);
    },
  };
}

export async function expectAll(served: Served, acknowledged: ReadonlyMap<string, string>) {
  expect(acknowledged.size).toBeGreaterThan(20);
  const lost: string[] = [];
  for (const [id, name] of acknowledged) {
    const answer = await served.call('GET', `/api/object/${id}`);
    if (answer.status !== 'ok' || (answer.data as { name: string }).name !== name) lost.push(name);
  }
  expect(lost).toEqual([]);
}
