import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import {
  appendLog,
  findLogSize,
  readLog,
  searchLog,
} from '../../../src/service/repositories/logs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeUser } from '../../support/service-objects.ts';

let database: TestDatabase;
let ownerId = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  ownerId = (await makeUser(database.pool)).id;
});

const stream = 'stdlog';
async function write(texts: readonly string[]): Promise<number> {
  const { id } = await insertExperiment(database.pool, { ownerId, name: 'log' });
  for (const text of texts) await appendLog(database.pool, { experimentId: id, stream, text });
  return id;
}

describe('a log', () => {
  it('is read by any range of bytes, always in whole characters', async () => {
    const line = fc.stringMatching(/^[aé漢😀 ]{0,12}$/u).map((text) => `${text}\n`);
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        place,
        place,
        async (lines, a, b) => {
          const experimentId = await write(lines);
          const whole = Buffer.from(lines.join(''));
          expect(await findLogSize(database.pool, experimentId, stream)).toEqual({
            bytes: whole.length,
            lines: lines.length,
          });
          const [from, to] = [a, b]
            .map((part) => Math.floor(part * whole.length))
            .sort((x, y) => x - y);
          const range = await readLog(database.pool, { experimentId, stream, from, to });
          expect(range.text).not.toContain('\ufffd');
          expect(range.from).toBeLessThanOrEqual(from);
          expect(range.text).toBe(whole.toString('utf8', range.from, range.to));
          if (to > from) expect(range.to).toBeGreaterThanOrEqual(to);
        },
      ),
      { seed: 3, numRuns: 40 },
    );
  });

  it('is searched for lines regardless of case, and returns where they start', async () => {
    const text = 'first\nSecond ß line\nnothing\n100% SECOND_again\n';
    const experimentId = await write([text]);
    const search = (query: string) =>
      searchLog(database.pool, { experimentId, stream, query, limit: 10 });
    expect(await search('second')).toEqual([
      6,
      Buffer.byteLength('first\nSecond ß line\nnothing\n'),
    ]);
    expect(await search('0% S')).toHaveLength(1);
    expect(await search('%')).toHaveLength(1);
    expect(await search('_')).toHaveLength(1);
    expect(await search('missing')).toEqual([]);
  });

  it('accepts long text and NUL, in chunks that join to what was written', async () => {
    const text = `${'x😀'.repeat(60_000)}\n\0end\n`;
    const experimentId = await write([text]);
    const { bytes } = await findLogSize(database.pool, experimentId, stream);
    const { text: read } = await readLog(database.pool, {
      experimentId,
      stream,
      from: 0,
      to: bytes,
    });
    expect(read).toBe(text.replace('\0', '\ufffd'));
  });
});
