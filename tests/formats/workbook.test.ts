import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readWorkbook } from '../../src/formats/workbook.ts';
import { makeWorkbook, workbookParts } from '../support/workbook.ts';

async function rowsOf(bytes: Uint8Array, sheet?: string) {
  const workbook = readWorkbook(bytes);
  if (!workbook.ok) return workbook.error;
  const rows = await workbook.value.rows(sheet ?? workbook.value.sheets[0] ?? '');
  return rows.ok ? rows.value : rows.error;
}

/** A workbook of one sheet with this content. */
const raw = (content: string) => zipSync(workbookParts(['A'], [content]));

describe('a workbook', () => {
  it('has sheets of texts: numbers in full, dates of ISO 8601, empty cells and rows in their places', async () => {
    const bytes = makeWorkbook({
      'Notes & more': [['hello']],
      Data: [
        ['day', 'x', null, 'ok'],
        [],
        [new Date('2024-02-29T00:00:00Z'), 0.1 + 0.2, null, true],
        [new Date('2024-03-01T12:00:00Z'), -1e-9, null, false],
      ],
    });
    const workbook = readWorkbook(bytes);
    expect(workbook).toMatchObject({ ok: true, value: { sheets: ['Notes & more', 'Data'] } });
    expect(await rowsOf(bytes)).toEqual([['hello']]);
    expect(await rowsOf(bytes, 'Data')).toEqual([
      ['day', 'x', '', 'ok'],
      ['', '', '', ''],
      ['2024-02-29', '0.30000000000000004', '', 'TRUE'],
      ['2024-03-01T12:00:00', '-1e-9', '', 'FALSE'],
    ]);
  });

  it('as openpyxl writes it is read: shared strings, formats of dates, percents, times of day', async () => {
    const bytes = readFileSync(new URL('../fixtures/workbooks/openpyxl.xlsx', import.meta.url));
    expect(await rowsOf(bytes, 'Übung 1')).toEqual([
      ['Messreihe 2024', '', '', '', ''],
      ['', '', '', '', ''],
      ['Tag', 'Anteil', 'Preis', 'Uhrzeit', 'Schule'],
      ['2024-01-31', '0.12', '1200.5', '0.25', 'Choaté'],
      ['2024-02-01', '0.5', '3', '0.75', '=A & B'],
    ]);
  });

  it('that unpacks to far more than its size is refused before memory is spent', async () => {
    const bomb = workbookParts(['A'], [' '.repeat(40_000_000)]);
    expect(await rowsOf(zipSync(bomb, { level: 9 }))).toBe(
      'The workbook cannot be read: "xl/worksheets/sheet1.xml" unpacks to more than 600 times its size.',
    );
  });

  it('with a cell far out, in a place that does not exist, or of no value says so', async () => {
    const cell = (attributes: string) =>
      raw(
        `<sheetData><row><c r="A1"><v>1</v></c></row><row><c ${attributes}><v>1</v></c></row></sheetData>`,
      );
    expect(await rowsOf(cell('r="XFD1048576"'))).toMatch(
      /^A sheet spans 1048576 rows and 16384 columns/,
    );
    for (const place of ['r="A99999999"', 'r="A0"', 'r="2B"', 'r="&#65;9"', "r='ZZZ3'"])
      expect(await rowsOf(cell(place))).toBe(
        'The workbook is damaged: a cell has no proper place.',
      );
    expect(await rowsOf(raw('<sheetData><row r="9999999"/></sheetData>'))).toMatch(/damaged/);
    expect(await rowsOf(cell('r="A2" t="s"').slice())).toMatch(/is not a valid cell/);
    // What was never computed is missing, and said to be where it is mapped.
    const formula = raw(
      '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1</f></c></row></sheetData>',
    );
    expect(await rowsOf(formula)).toEqual([['1']]);
  });

  it('that is another archive says what it lacks', async () => {
    expect(await rowsOf(zipSync({ 'content.xml': new Uint8Array(3) }))).toBe(
      'This is an archive without a workbook in it. Save the table as .xlsx or as CSV.',
    );
    expect(await rowsOf(raw('').slice(0, 200))).toMatch(/^The workbook cannot be read: /);
  });

  it('is rows or a sentence, whatever its sheet holds', async () => {
    const piece = fc.constantFrom(
      '<sheetData>',
      '</sheetData>',
      '<row r="1">',
      '<row>',
      '</row>',
      '<c r="A1">',
      '<c r="C7" t="s">',
      '<c t="e" r="B2">',
      '<c t="d">',
      '<c s="9">',
      '</c>',
      '<v>1</v>',
      '<v>x</v>',
      '<v/>',
      '<is><t>a</t></is>',
      '<f>A1</f>',
      '&x;',
      '<!DOCTYPE a [<!ENTITY x "y">]>',
      '<![CDATA[',
      ']]>',
      '<',
      '<dimension ref="A1:XFD1048576"/>',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const rows = await rowsOf(raw(pieces.join('')));
        if (typeof rows === 'string') expect(rows).toMatch(/\.$/);
        else expect(rows.flat().every((text) => typeof text === 'string')).toBe(true);
      }),
      { seed: 1, numRuns: 150 },
    );
  });
});
