import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/formats/decode-text.ts';
import { readDelimited } from '../../src/formats/delimited-text.ts';

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('delimited text', () => {
  it('gives back every cell that was written into it', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', ',', ';', '"', '\n', ' ') });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 5 }),
      );
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, end) => {
        const [width] = [rows[0]?.length ?? 1];
        const header = Array.from({ length: width }, (_, i) => `column${i}`);
        const text = [header, ...rows.map((row) => row.map(quoted))]
          .map((r) => r.join(','))
          .join(end);
        const csv = readDelimited(text);
        expect(csv.columns).toEqual(header);
        const isEmpty = (row: string[]) => row.every((one) => one.trim() === '');
        expect(Array.from({ length: csv.numRows }, (_, i) => csv.row(i))).toEqual(
          rows.filter((row) => !isEmpty(row)),
        );
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('without a header numbers its columns; tabs and semicolons part cells too', () => {
    expect(readDelimited('1,2\n3,4\n')).toMatchObject({ columns: ['1', '2'], numRows: 2 });
    expect(readDelimited('a\tb\n1\t2').row(0)).toEqual(['1', '2']);
    expect(readDelimited('a;b\r\n\r\n1;2').row(0)).toEqual(['1', '2']);
    expect(readDelimited('')).toMatchObject({ columns: [], numRows: 0 });
    expect(readDelimited('\ufeffa,b\n1,2').columns).toEqual(['a', 'b']);
  });

  it('as spreadsheets export it loses its separator line, empty rows and columns without a name', () => {
    const table = readDelimited('sep=;\r\nschool;score;\r\nA;1,5;\r\n;;\r\nB;2;\r\n;;\r\n;;\r\n');
    expect(table).toMatchObject({ columns: ['school', 'score'], numRows: 2, delimiter: ';' });
    expect([table.row(0), table.row(1)]).toEqual([
      ['A', '1,5', ''],
      ['B', '2', ''],
    ]);
    expect([table.rowNumber(0), table.rowNumber(1)]).toEqual([3, 5]);
  });

  it('keeps quotes inside a cell, and line ends inside quotes', () => {
    const table = readDelimited('what,n\n5" pipe,1\n"two\nlines, ""quoted""",2\n6"" pipe,3\n');
    expect([table.row(0), table.row(1), table.row(2)]).toEqual([
      ['5" pipe', '1'],
      ['two\nlines, "quoted"', '2'],
      ['6"" pipe', '3'],
    ]);
  });

  it('says where a quote is opened and never closed', () => {
    expect(readDelimited('a,b\n1,2\n"3,4\n5,6').openQuote).toBe(3);
    expect(readDelimited('a,b\n1,2').openQuote).toBeNull();
  });

  it('names each column once', () => {
    expect(readDelimited('x,,x,x\n1,2,3,4').columns).toEqual(['x', 'column 2', 'x (2)', 'x (3)']);
    expect(readDelimited('"y","x"\n"1",2,3\n"2",4,5').columns).toEqual(['column 1', 'y', 'x']);
  });

  it('is read whatever it is', () => {
    const signs = ['a', '1', ',', ';', '"', '\n', '\r', ' ', '\t', '#', 'sep=', '\ufeff'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 30 }), (pieces) => {
        const table = readDelimited(pieces.join(''));
        for (let i = 0; i < table.numRows; i++) {
          table.row(i);
          expect(table.rowNumber(i)).toBeGreaterThan(0);
        }
        expect(new Set(table.columns).size).toBe(table.columns.length);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe('the encoding of a file', () => {
  const text = 'Gemüse,2\n';
  const utf16 = (isLittleEndian: boolean, mark: string) => {
    const view = new DataView(new ArrayBuffer((mark + text).length * 2));
    Array.from(mark + text, (char, i) => view.setUint16(i * 2, char.charCodeAt(0), isLittleEndian));
    return new Uint8Array(view.buffer);
  };

  it('is recognised with and without a mark', () => {
    const utf8 = new TextEncoder().encode(text);
    const latin = Uint8Array.from(text, (char) => char.charCodeAt(0));
    const narrow = [utf8, Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8), latin].map(decodeText);
    expect(narrow.map((one) => one?.encoding)).toEqual(['UTF-8', 'UTF-8', 'Windows-1252']);
    const wide = [utf16(true, '\ufeff'), utf16(false, '\ufeff'), utf16(true, ''), utf16(false, '')];
    for (const decoded of [...narrow, ...wide.map(decodeText)]) expect(decoded?.text).toBe(text);
  });

  it('of bytes that are not text is none', () => {
    expect(decodeText(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 8, 0))).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void decodeText(bytes)),
      { seed: 1 },
    );
  });
});
