/** Overviews of long columns: requested together, read as the server thins them. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import { encodeDraws } from '../../../src/contract/draws.ts';
import { ThinDraws } from '../../../src/dashboard/features/live/thin-draws.ts';

const phase = 'sampling' as const;

/** Answers each variable with the pairs (1, 5), (700, -5); `divergent__` marks 700. */
function thinning() {
  const asked: URLSearchParams[] = [];
  const fetch = async (address: string | URL | Request) => {
    const { searchParams } = new URL(
      address instanceof Request ? address.url : address,
      'http://x',
    );
    asked.push(searchParams);
    const names = searchParams.getAll('variable').flatMap((text) => text.split(','));
    const columns = names.map((variable, i) => ({
      chain: 'chain#1',
      variable,
      phase,
      first_iteration: 1,
      step: 0,
      count: 2,
      offset: 4 * i,
    }));
    const values = names.flatMap((name) =>
      name === 'divergent__' ? [1, 0, 700, 1] : [1, 5, 700, -5],
    );
    const body = encodeDraws({ columns, revision: '1' }, Float64Array.from(values));
    return new Response(body.slice().buffer as ArrayBuffer);
  };
  const client = createClient({ baseUrl: 'http://x', fetch: fetch as typeof globalThis.fetch });
  return { asked, draws: new ThinDraws(client, 'X0000001', { shareId: 'S1' }) };
}

describe('thinned draws', () => {
  it('are asked together for one range, and apart for others', async () => {
    const { asked, draws } = thinning();
    const range = { phase, from: 1, to: 1000 };
    const [mu] = await Promise.all([
      draws.ask('mu', range),
      draws.ask('tau', { ...range }),
      draws.ask('mu', { ...range, from: 500 }),
    ]);
    expect(asked).toHaveLength(2);
    expect(asked[0].getAll('variable')).toEqual(['divergent__', 'mu', 'tau']);
    expect(asked[0].get('max_points')).toBe('1600');
    expect(asked[0].get('share_id')).toBe('S1');
    expect(asked[1].get('from')).toBe('500');
    const chain = mu.get('chain#1');
    expect([...(chain?.column.places ?? [])]).toEqual([1, 700]);
    expect([...(chain?.column.values ?? [])]).toEqual([5, -5]);
    expect(chain?.column.count).toBe(1000);
    expect([...(chain?.divergent ?? [])]).toEqual([700]);
  });

  it('fail together if the request fails', async () => {
    const failing = (async () => {
      throw new TypeError('no network');
    }) as typeof globalThis.fetch;
    const client = createClient({ baseUrl: 'http://x', fetch: failing });
    const draws = new ThinDraws(client, 'X0000001', {});
    const range = { phase, from: 1, to: 10 };
    const answers = await Promise.allSettled([draws.ask('a', range), draws.ask('b', range)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
