/** Keeping a PostgreSQL running, with fake servers. */
import { describe, expect, it } from 'vitest';
import { keepPostgres } from '../../../src/service/postgres/keep-postgres.ts';
import type { EmbeddedPostgres } from '../../../src/service/postgres/supervisor.ts';
import type { RestartPolicy } from '../../../src/service/restart-policy.ts';

class FakeServers {
  readonly stopped: number[] = [];
  private enders: ((reason: string) => void)[] = [];
  /** Indices of the starts that fail. */
  constructor(private readonly failing: readonly number[] = []) {}
  numStarts = 0;

  readonly start = async (): Promise<EmbeddedPostgres> => {
    const number = this.numStarts;
    this.numStarts += 1;
    if (this.failing.includes(number)) throw new Error(`start ${number} failed`);
    const ended = new Promise<string>((resolve) => {
      this.enders[number] = resolve;
    });
    return {
      host: '/socket',
      port: 5432,
      pid: number,
      isAttached: false,
      ended,
      stop: async () => {
        this.stopped.push(number);
      },
    };
  };

  kill(number: number): void {
    this.enders[number](`server ${number} ended`);
  }
}

/** No waiting; gives up after `most` short lives. */
const atOnce = (most: number): RestartPolicy => {
  let left = most;
  return { next: () => (left-- > 0 ? 0 : null) };
};

describe('a kept PostgreSQL', () => {
  it('is restarted even if the first attempts fail', async () => {
    const servers = new FakeServers([1, 2]);
    const reasons: string[] = [];
    const kept = await keepPostgres(servers.start, (reason) => reasons.push(reason), atOnce(5));
    servers.kill(0);
    while (servers.numStarts < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    await kept.stop();
    expect(servers.stopped).toEqual([3]);
    expect(reasons).toEqual(['server 0 ended']);
  });

  it('that cannot be restarted reports why it ended and what failed', async () => {
    const servers = new FakeServers([1, 2]);
    const kept = await keepPostgres(servers.start, undefined, atOnce(2));
    servers.kill(0);
    expect(await kept.ended).toBe('server 0 ended\nstart 2 failed');
  });

  it('is not restarted while it is being stopped', async () => {
    const servers = new FakeServers();
    const kept = await keepPostgres(servers.start, undefined, atOnce(5));
    const stopping = kept.stop();
    servers.kill(0);
    await stopping;
    expect(servers.numStarts).toBe(1);
  });
});
