import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, listCsv } from '../../../src/dashboard/features/lists/list-csv.ts';
import { createFakeShare } from '../../support/fake-objects.ts';

describe('a cell of an exported list', () => {
  it('never begins with what a spreadsheet takes for a formula', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('=', '+', '-', '@', '\t', '\r', ' =', '\n='),
        fc.string(),
        (sign, rest) => {
          expect(csvCell(sign + rest)).toMatch(/^"?'/);
        },
      ),
      { seed: 3 },
    );
  });
  it('reads back to its text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const cell = csvCell(text);
        const bare = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        expect([text, `'${text}`]).toContain(bare);
      }),
      { seed: 4 },
    );
  });
  it('keeps negative numbers numbers', () => expect(csvCell(-1.5)).toBe('-1.5'));
});

describe('an exported list of shares', () => {
  it('says that there is a password, never the password', () => {
    const csv = listCsv('share', [createFakeShare({ password: 'secret-words' })]);
    expect(csv).not.toContain('secret-words');
    expect(csv.split('\r\n')[1]).toContain(',true,');
  });
});
