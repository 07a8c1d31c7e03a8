/** A short run of `npm run chaos`: the quickest faults, from one seed; `serve/processes` kills the others. Linux only, since processes are found in /proc. */
import { describe, expect, it } from 'vitest';
import { runChaos } from '../../chaos/chaos.ts';

const FAULTS = 20;
/** A busy machine injects as many faults as fit into this. */
const MINUTES = 1;
/** Brief faults with recovery within a second: neither the service's start nor freezing and filling. */
const quick = [
  'worker and its chains',
  'a process of functions',
  'kill a backend',
  'kill an idle backend',
  'kill a listening backend',
  'checkpointer',
  'walwriter',
  'cut sockets',
  'end all database sessions',
];

describe.runIf(process.platform === 'linux')('users under faults', { timeout: 600_000 }, () => {
  it('lose nothing acknowledged, and runs end with the same draws as undisturbed ones', async () => {
    const lines: string[] = [];
    const result = await runChaos({
      seed: 7,
      faults: FAULTS,
      minutes: MINUTES,
      people: 3,
      length: 0.1,
      quietMs: 150,
      usageSeconds: 2,
      only: quick,
      say: (line) => lines.push(line),
    });
    expect(result.violations, lines.join('\n')).toEqual([]);
    expect(result.struck.size).toBeGreaterThan(0);
    expect(result.acknowledged.models).toBeGreaterThan(0);
    expect(result.compared).toBeGreaterThan(20);
  });
});
