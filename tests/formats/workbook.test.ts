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

/** A workbook with one sheet of this content. */
const raw = (content: string) => zipSync(workbookParts(['A'], [content]));

describe('a workbook', () => {
  it('has sheets of text, with full numbers, ISO 8601 dates, and empty cells and rows in place', async () => {
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

  it('from openpyxl is read with shared strings, date formats, percents and times of day', async () => {
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

  it('with a distant or misplaced cell is refused, but a cell without a value is empty', async () => {
    const cell = (attributes: string) =>
      raw(
        `<sheetData><row><c r="A1"><v>1</v></c></row><row><c ${attributes}><v>1</v></c></row></sheetData>`,
      );
    expect(await rowsOf(cell('r="XFD1048576"'))).toMatch(
      /^A sheet spans 1048576 rows and 16384 columns/,
    );
    for (const place of [
      'r="A99999999"',
      'r="A0"',
      'r="2B"',
      'r="&#65;9"',
      "r='ZZZ3'",
      'r = "ZZZ3"',
      'r="A2" t="&#110;"',
    ])
      expect(await rowsOf(cell(place))).toBe(
        'The workbook is damaged: a cell has no valid position.',
      );
    for (const row of ['<row r="9999999"/>', '<row r="x1"/>', '<row r="1x"/>', '<of:row r="0"/>'])
      expect(await rowsOf(raw(`<sheetData>${row}</sheetData>`))).toMatch(/damaged/);
    expect(await rowsOf(cell('rx="2B" r="A2"'))).toEqual([['1'], ['1']]);
    expect(await rowsOf(cell('r="A2" t="s"').slice())).toMatch(/is not a valid cell/);
    // A value that was never computed is missing, and reported when it is mapped.
    const formula = raw(
      '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1</f></c></row></sheetData>',
    );
    expect(await rowsOf(formula)).toEqual([['1']]);
  });

  const index = (sheets: string) => {
    const parts = workbookParts(['A'], ['<sheetData/>']);
    parts['xl/workbook.xml'] = new TextEncoder().encode(`<workbook>${sheets}</workbook>`);
    return readWorkbook(zipSync(parts));
  };

  it('has its sheets in the order of their tabs, whatever their names and quotes', () => {
    const sheets = [
      '<sheet name="A &amp; &lt;B&gt;" sheetId="1"/>',
      `<main:sheet sheetId="2" name = '&quot;&apos;&#65;&#x1F600;&#X42;'/>`,
      '<sheet sheetId="3" codename="no" name="&unknown;&constructor;&#1114112;&#xFFFFFF;&#x10FFFF;"/>',
      '<sheets name="no"/><sheet sheetId="4"/>',
      '<sheet\nname=""/>',
    ];
    const unknown = '&unknown;&constructor;&#1114112;&#xFFFFFF;';
    expect(index(sheets.join(''))).toMatchObject({
      ok: true,
      value: { sheets: ['A & <B>', '"\'A😀B', `${unknown}\u{10ffff}`, ''] },
    });
  });

  it('without sheets is refused', () =>
    expect(index('')).toEqual({ ok: false, error: 'The workbook has no sheets.' }));

  it('has only numbers, text, dates and booleans in cells, and times as fractions of a day', async () => {
    const cell = (place: string, attributes: string, value: string) =>
      `<c r="${place}1" ${attributes}><v>${value}</v></c>`;
    const cells = [
      cell('A', 's="1"', '0.25'),
      cell('B', 's="1"', '1'),
      cell('C', 's="1"', '2'),
      cell('D', 's="1"', '45350.000011574'),
      cell('E', 't="e"', '#DIV/0!'),
      cell('F', 't="b"', '0'),
      // a day beyond the range of dates
      cell('G', 's="1"', '1e300'),
    ];
    const [row] = (await rowsOf(
      raw(`<sheetData><row r="1">${cells.join('')}</row></sheetData>`),
    )) as string[][];
    expect(row).toEqual(['0.25', '1', '1900-01-01', '2024-02-28T00:00:00.999', '', 'FALSE', '']);
  });

  it('that spans the maximum number of cells is read, but not a larger one', async () => {
    const corner = (place: string) =>
      readWorkbook(
        raw(
          `<sheetData><row r="1048576"></row><row r="9"><c r="ZZZ9"/></row><row><c r="${place}"><v>1</v></c></row></sheetData>`,
        ),
      );
    const tooFar = (rows: number, columns: number) => ({
      ok: false,
      error: `A sheet spans ${rows} rows and ${columns} columns: too many to map here. Clear cells that are far from the table.`,
    });
    // 19 columns of 1048576 rows; 20 are more than twenty million cells
    expect(corner('S1048576').ok).toBe(true);
    expect(corner('T1048576')).toEqual(tooFar(1_048_576, 20));
    expect(corner('T1000000').ok).toBe(true);
    expect(corner('XFD1220').ok).toBe(true);
    expect(corner('XFD1221')).toEqual(tooFar(1221, 16_384));
    const damaged = {
      ok: false,
      error: 'The workbook is damaged: a cell has no valid position.',
    };
    for (const place of ['XFE1', 'A1048577', 'A0', 'AAAA1', 'A', '1', 'a1', 'A1B', 'A12345678'])
      expect(corner(place)).toEqual(damaged);
  });

  it('with a missing or invalid sheet has an error message for it', async () => {
    expect(await rowsOf(raw('<sheetData/>'), 'B')).toBe(
      'The sheet “B” cannot be read: Sheet not found: B. Available sheets: A.',
    );
    const dotted = zipSync(workbookParts(['A.'], ['<sheetData/>']));
    expect(await rowsOf(dotted, 'B')).toMatch(/ Available sheets: A\.$/);
    const bad = raw('<sheetData><row r="1"><c r="A1" t="s"><v>7</v></c></row></sheetData>');
    expect(await rowsOf(bad)).toMatch(/^The sheet “A” cannot be read: .*[^.]\.$/);
    const far = raw('<sheetData><row r="12"><c r="K12" t="s"><v>7</v></c></row></sheetData>');
    expect(await rowsOf(far)).toBe(
      'The sheet “A” cannot be read: row 12, column 11 is not a valid cell. Save the workbook again in a spreadsheet program.',
    );
  });

  it('is judged by its sheets alone, whatever other files it has', async () => {
    const parts = workbookParts(['A'], ['<sheetData/>']);
    const bad = new TextEncoder().encode('<row r="0"/>');
    for (const path of ['old/xl/worksheets/sheet1.xml', 'xl/worksheets/sheet1.xml.bak'])
      expect(await rowsOf(zipSync({ ...parts, [path]: bad }))).toEqual([]);
    const other = zipSync({ ...parts, 'xl/worksheets/sheet9.xml': bad });
    expect(await rowsOf(other)).toMatch(/damaged/);
  });

  it('that is another kind of file is refused with a reason', async () => {
    expect(await rowsOf(zipSync({ 'content.xml': new Uint8Array(3) }))).toBe(
      'This is an archive without a workbook in it. Save the table as .xlsx or as CSV.',
    );
    expect(await rowsOf(raw('').slice(0, 200))).toBe(
      'The workbook cannot be read: this is not a zip archive.',
    );
  });

  it('is read as rows or refused with a sentence, whatever its sheet contains', async () => {
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
