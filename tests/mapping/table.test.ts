import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/mapping/table.ts';
import { tableOf } from './tables.ts';

const problem = async (text: string) => {
  const table = await readTable(new TextEncoder().encode(text));
  return table.ok ? null : table.error;
};

describe('a table', () => {
  it('detects the kinds of its columns', () => {
    const { info } = tableOf(
      'id,x,ok,who,none\n1,0.5,yes,Ann,\n2,NA,no,Bob,\n3,2,no,Cy,NA\n4,1e3,yes,Bob,.\n',
    );
    expect(info.map(({ name, kind }) => [name, kind])).toEqual([
      ['id', 'integer'],
      ['x', 'number'],
      ['ok', 'flag'],
      ['who', 'text'],
      ['none', 'empty'],
    ]);
    expect(info[1]).toMatchObject({ min: 0.5, max: 1000, numMissing: 1, missingRows: [3] });
    expect(info[3]).toMatchObject({ numLevels: 3, numMissing: 0 });
  });

  it('that cannot be read says why and what to do', async () => {
    expect(await problem('')).toBe('The file has no rows of data.');
    expect(await problem('a,b\n')).toBe('The file has no rows of data.');
    expect(await problem('a,b\n1,"2\n3,4\n')).toBe(
      'A quote (") in row 2 is never closed. Close or remove it.',
    );
    expect(await problem('a,b\n1,2\n3,4,5\n')).toBe(
      'Row 3 has 3 cells, but there are 2 columns. Quote cells that contain commas.',
    );
    const old = await readTable(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1));
    expect(old).toMatchObject({ error: expect.stringMatching(/old format \(\.xls\)/) });
    const broken = await readTable(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 8));
    expect(broken).toMatchObject({ error: expect.stringMatching(/^The workbook cannot be read/) });
  });

  it('is read or refused with a sentence, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
        const table = await readTable(bytes);
        if (!table.ok) expect(table.error).toMatch(/\.$/);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });
});
