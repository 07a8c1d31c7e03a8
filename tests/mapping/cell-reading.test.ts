import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TableReading } from '../../src/formats/data-meta.ts';
import { applyMapping } from '../../src/mapping/apply-mapping.ts';
import { dayOf, dayText } from '../../src/mapping/date-cell.ts';
import { guessMapping } from '../../src/mapping/guess-mapping.ts';
import { refreshMapping } from '../../src/mapping/refresh-mapping.ts';
import { readTable } from '../../src/mapping/table.ts';
import { tableOf, wantedOf } from './tables.ts';

/** Values and faults of column `x`, read as numbers. */
function valuesOf(text: string, reading?: TableReading) {
  const table = tableOf(text);
  const { mapping } = guessed(text);
  const made = applyMapping(table, { ...mapping, ...(reading === undefined ? {} : { reading }) });
  return made.problems.length > 0 ? made.problems.map(({ message }) => message) : made.values.x;
}

function guessed(text: string) {
  const table = tableOf(text);
  return {
    table,
    mapping: guessMapping(table, wantedOf('int N; vector[N] x;'), { file: 'a.csv' }),
  };
}

const column = (cells: readonly string[]) =>
  `id;x\n${cells.map((cell, i) => `${i};${cell}`).join('\n')}\n`;

describe('dates', () => {
  it('are days since the earliest, in any format, with the time as a fraction of a day', () => {
    expect(valuesOf(column(['2024-03-01', '2024-02-28', '2024-02-29 06:00']))).toEqual([
      2, 0, 1.25,
    ]);
    expect(valuesOf(column(['31.12.2023', '1.1.2024']))).toEqual([0, 1]);
    expect(valuesOf(column(['1-Feb-24', '29 February 2024']))).toEqual([0, 28]);
    expect(valuesOf(column(['Jan 5, 2024', 'January 7, 2024']))).toEqual([0, 2]);
    expect(valuesOf(column(['2024-01-01T00:00:00Z', '2024-01-01T12:00:00-12:00']))).toEqual([0, 1]);
    expect(valuesOf(column(['1/1/2024 12:45 AM', '1/1/2024 6:00 PM']))).toEqual([0.03125, 0.75]);
  });

  it('reveal whether day or month is first; if not, the file decides and they are flagged', () => {
    expect(valuesOf(column(['1/2/2024', '13/2/2024']))).toEqual([0, 12]);
    expect(valuesOf(column(['1/2/2024', '2/13/2024']))).toEqual([0, 42]);
    const open = guessed(column(['1/2/2024', '3/2/2024'])).table.info[1];
    expect(open).toMatchObject({
      kind: 'date',
      isOrderOpen: true,
      reading: { as: 'date', order: 'dmy', origin: '2024-02-01' },
    });
    const commas = tableOf('id,x\n1,1/2/2024\n2,3/2/2024\n').info[1];
    expect(commas).toMatchObject({ isOrderOpen: true, reading: { order: 'mdy' } });
    expect(guessed(column(['13/2/2024'])).table.info[1]).toMatchObject({ isOrderOpen: false });
  });

  it('that do not exist are reported with their row', () => {
    expect(
      valuesOf(column(['2024-01-01', '2023-02-29', 'soon', '2024-01-02', '2024-01-03'])),
    ).toEqual(['Row 3 of “x” is “2023-02-29”, not a date.', 'Row 4 of “x” is “soon”, not a date.']);
  });

  it('are counted from the chosen day, and from the same day in the next file', () => {
    const { mapping } = guessed(column(['2024-03-01', '2024-03-05']));
    expect(mapping.reading?.columns.x).toEqual({ as: 'date', order: 'ymd', origin: '2024-03-01' });
    const next = tableOf(column(['2024-03-11', '2024-02-29']));
    const again = refreshMapping(next, mapping);
    expect(again.notes).toEqual([]);
    expect(applyMapping(next, again.mapping).values.x).toEqual([10, -1]);
    // As another program writes them; if a file leaves the order open, the previous order stays.
    const dots = tableOf(column(['2.3.2024', '31.3.2024']));
    expect(applyMapping(dots, refreshMapping(dots, mapping).mapping).values.x).toEqual([1, 30]);
    const open = tableOf('id,x\n1,4/3/2024\n');
    const monthFirst = refreshMapping(tableOf('id,x\n1,3/20/2024\n'), mapping).mapping;
    expect(applyMapping(open, refreshMapping(open, monthFirst).mapping).values.x).toEqual([33]);
    const dayFirst = refreshMapping(dots, mapping).mapping;
    expect(applyMapping(open, refreshMapping(open, dayFirst).mapping).values.x).toEqual([3]);
    const reading: TableReading = {
      sheet: null,
      decimal: null,
      columns: { x: { as: 'date', order: 'ymd', origin: '2024-01-01' } },
    };
    expect(valuesOf(column(['2024-03-01']), reading)).toEqual([60]);
  });

  it('convert to days and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        const text = dayText(day);
        const [year, month, ofMonth] = text.split('-');
        expect(dayOf(text, 'ymd')).toBe(day);
        expect(dayOf(`${ofMonth}.${month}.${year}`, 'dmy')).toBe(day);
        expect(dayOf(`${month}/${ofMonth}/${year}`, 'mdy')).toBe(day);
      }),
      { seed: 1 },
    );
  });
});

describe('percents', () => {
  it('are fractions, or as written by choice', () => {
    const cells = ['12 %', '0,5%', '−3 %', '0', '100%'];
    expect(valuesOf(column(cells))).toEqual([0.12, 0.005, -0.03, 0, 1]);
    const columns = { x: { as: 'percent', unit: 'percent' } } as const;
    expect(valuesOf(column(cells), { sheet: null, decimal: null, columns })).toEqual([
      12, 0.5, -3, 0, 100,
    ]);
  });

  it('without a % sign are refused, since they could be either', () => {
    expect(valuesOf(column(['12 %', '13 %', '14']))).toEqual([
      'Row 4 of “x” is “14”, not a percentage with a % sign.',
    ]);
  });
});

describe('amounts of money', () => {
  it('lose their currency symbol, which is reported', () => {
    expect(valuesOf(column(['€ 1.200,50', '3 €', '(2,25 €)', '-€7', '9']))).toEqual([
      1200.5, 3, -2.25, -7, 9,
    ]);
    expect(valuesOf('id;x\n1;$1,200.50\n2;US$ 3\n3;$4\n')).toEqual([
      'Row 3 of “x” is “US$ 3”, not an amount in $.',
    ]);
    expect(tableOf("id;x\n1;CHF 1'200.50\n").info[1]).toMatchObject({
      kind: 'number',
      max: 1200.5,
      symbols: ['CHF'],
      guessed: { as: 'currency', symbol: 'CHF' },
    });
  });
});

describe('decimals', () => {
  it('that are ambiguous in the file are flagged, and can be chosen', () => {
    const text = column(['1,234', '5,678']);
    expect(tableOf(text)).toMatchObject({ isOpen: true, style: 'comma' });
    expect(valuesOf(text)).toEqual([1.234, 5.678]);
    expect(valuesOf(text, { sheet: null, decimal: 'point', columns: {} })).toEqual([1234, 5678]);
    expect(tableOf(column(['1,23']))).toMatchObject({ isOpen: false, style: 'comma' });
    expect(tableOf('id,x\n1,2.5\n')).toMatchObject({ isOpen: false, style: 'point' });
  });
});

describe('text exported by Excel', () => {
  const rows = 'Schule;Anteil;Tag;x\r\nÄ;12,5 %;31.01.2024;1.234,5\r\nÖ;3 %;01.02.2024;2\r\n';
  const encoded: readonly (readonly [string, Uint8Array])[] = [
    ['UTF-8 with a byte order mark', new TextEncoder().encode(`\ufeff${rows}`)],
    ['a sep= line', new TextEncoder().encode(`\ufeffsep=;\r\n${rows}`)],
    ['UTF-16 (“Unicode text”)', utf16(`\ufeff${rows.replaceAll(';', '\t')}`)],
    ['UTF-16 without a byte order mark', utf16(rows)],
    ['Windows-1252', Uint8Array.from(rows, (char) => char.charCodeAt(0))],
    ['old line ends', new TextEncoder().encode(rows.replaceAll('\r\n', '\r'))],
  ];

  it.each(encoded)('with %s is read the same', async (_, bytes) => {
    const table = await readTable(bytes);
    if (!table.ok) throw new Error(table.error);
    expect(table.value.info.map(({ name, kind, max }) => [name, kind, max])).toEqual([
      ['Schule', 'text', null],
      ['Anteil', 'number', 0.125],
      ['Tag', 'date', 1],
      ['x', 'number', 1234.5],
    ]);
    expect(table.value.cells('Schule')).toEqual(['Ä', 'Ö']);
  });
});

describe('a cell', () => {
  it('has a kind or is refused with a sentence, and no text takes long', () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.stringMatching(/^[ \d.,:%$€/()+-]{0,60}$/),
      fc.constantFrom(
        '1'.repeat(200_000),
        ' '.repeat(50_000),
        '1,'.repeat(50_000),
        '€'.repeat(9_999),
      ),
    );
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
        const text = `x\n${cells.map((one) => `"${one.replaceAll('"', '')}"`).join('\n')}\n`;
        const start = performance.now();
        let kinds: readonly string[] = [];
        try {
          kinds = tableOf(text).info.map(({ kind }) => kind);
        } catch (error) {
          expect((error as Error).message).toMatch(/\.$/);
        }
        for (const kind of kinds) expect(kind).toMatch(/^(?:integer|number|date|flag|text|empty)$/);
        expect(performance.now() - start).toBeLessThan(20_000);
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i] = text.charCodeAt(i) & 0xff;
    bytes[2 * i + 1] = text.charCodeAt(i) >> 8;
  }
  return bytes;
}
