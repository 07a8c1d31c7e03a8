import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/formats/decode-text.ts';
import { namedRows, readDelimited } from '../../src/formats/delimited-text.ts';

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('delimited text', () => {
  it('keeps every cell that was written into it', () => {
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

  it('without a header has numbered columns, and may be separated by tabs or semicolons', () => {
    expect(readDelimited('1,2\n3,4\n')).toMatchObject({ columns: ['1', '2'], numRows: 2 });
    expect(readDelimited('a\tb\n1\t2').row(0)).toEqual(['1', '2']);
    expect(readDelimited('a;b\r\n\r\n1;2').row(0)).toEqual(['1', '2']);
    expect(readDelimited('')).toMatchObject({ columns: [], numRows: 0 });
    expect(readDelimited('\ufeffa,b\n1,2').columns).toEqual(['a', 'b']);
  });

  it('from spreadsheets loses its separator line, empty rows and unnamed columns', () => {
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

  it('may begin with an empty row or a quoted line end', () => {
    const quotedHeader = readDelimited('"a\nb",c\n1,2\n');
    expect(quotedHeader).toMatchObject({ columns: ['a\nb', 'c'], numRows: 1 });
    const late = readDelimited('\na,b\n1,2\n');
    expect(late).toMatchObject({ columns: ['a', 'b'], numRows: 1 });
    expect(late.rowNumber(0)).toBe(3);
  });

  it('reports where a quote is opened and never closed', () => {
    expect(readDelimited('a,b\n1,2\n"3,4\n5,6').openQuote).toBe(3);
    expect(readDelimited('a,b\n1,2').openQuote).toBeNull();
  });

  it('begins after comments and a byte order mark', () => {
    const table = readDelimited('\ufeff# by a runner\n#\na,b\n1,2\n#3,4\n');
    expect(table).toMatchObject({ columns: ['a', 'b'], numRows: 2, hasHeader: true });
    expect([table.row(1), table.rowNumber(0)]).toEqual([['#3', '4'], 2]);
    expect(readDelimited('# a,b')).toMatchObject({ columns: [], numRows: 0, hasHeader: false });
    expect(readDelimited('# x\nsep=|\na|b\n"1|2')).toMatchObject({
      columns: ['a', 'b'],
      delimiter: '|',
      openQuote: 3,
    });
    expect(readDelimited('sep=,;\n1,2\n').columns).toEqual(['sep=', ';']);
  });

  it.each([
    ['a|b\n1|2\n', '|'],
    ['a,b;c\n1,2;3\n', ','],
    ['a;b;c,d\n1;2;3\n', ';'],
    ['a;b\n1,5;2,5\n', ';'],
    ['Results\n1;2\n3;4\n', ';'],
    ['y;x\n1;2;3\n1;2;3\n', ';'],
    ['a;b,c\n1;2\n3;4\n5;6\n', ';'],
    ['Results\n \n\n1;2\n3;4\n', ';'],
    ['y;x,z\n1;2;3\n1;2;3\n', ';'],
    ['a b\nx, y\nz\nw\n', '\0'],
    ['a\n1\n2\n', '\0'],
    [`a,b;c\n${'1,2\n'.repeat(19)}${'1;2\n'.repeat(40)}`, ','],
  ])('has its delimiter detected: %j', (text, delimiter) => {
    expect(readDelimited(text).delimiter).toBe(delimiter);
  });

  it('without a header keeps its first row as data, whatever the decimal mark', () => {
    const table = readDelimited('1,5; 2.5 ;\n3,5;4,5;5\n');
    expect(table).toMatchObject({ columns: ['1', '2', '3'], numRows: 2, hasHeader: false });
    expect([table.row(0), table.rowNumber(0)]).toEqual([['1,5', ' 2.5 ', ''], 1]);
    expect(readDelimited('1,2\n3,4,5\n').columns).toEqual(['1', '2']);
    expect(readDelimited('1,234.5;1.234,5\n2;3\n').hasHeader).toBe(false);
    expect(readDelimited('1,2\nx,y\n').hasHeader).toBe(false);
    expect(readDelimited('1,,x\n3,4,5\n').hasHeader).toBe(true);
  });

  it('may have the line ends of any system, and counts empty rows', () => {
    const table = readDelimited('a,b\r1,2\r\n , \r\n"",""\n" ",\n3,4\n\n');
    expect([table.numRows, table.row(0), table.row(1)]).toEqual([2, ['1', '2'], ['3', '4']]);
    expect([table.rowNumber(0), table.rowNumber(1)]).toEqual([2, 6]);
    expect(readDelimited('a,b\n\n1,2').rowNumber(0)).toBe(3);
    expect(readDelimited('\n"a\nb",c\n1,2\n').columns).toEqual(['a\nb', 'c']);
    expect(readDelimited('"",\na,b\n1,2\n').columns).toEqual(['a', 'b']);
  });

  it('opens a quote at the start of a cell, even after blanks, and nowhere else', () => {
    const table = readDelimited(
      'a,b\n "x,y",1\nx "y",2\n"x"y,3\n"""",4\n"p\nq" ,5\n6,"7"\n"x" "y",8\n',
    );
    expect(Array.from({ length: table.numRows }, (_, i) => table.row(i))).toEqual([
      ['x,y', '1'],
      ['x "y"', '2'],
      ['xy', '3'],
      ['"', '4'],
      ['p\nq ', '5'],
      ['6', '7'],
      ['x "y"', '8'],
    ]);
    expect(table.rowNumber(5)).toBe(7);
    expect(readDelimited('a,b\n"1\n2",3\n4,"5').openQuote).toBe(3);
    expect(readDelimited('a,b\n"""\n').openQuote).toBe(2);
    const open = readDelimited('a,b\n1,2\n"3,4\n5,6');
    expect([open.numRows, open.row(1)]).toEqual([2, ['3,4\n5,6']]);
    expect(readDelimited('a,b\n"""",1\n').openQuote).toBeNull();
  });

  it('has unique column names', () => {
    expect(readDelimited('x,x (2),x,x\n1,2,3,4').columns).toEqual(['x', 'x (2)', 'x (3)', 'x (4)']);
    expect(readDelimited('y,x\n').columns).toEqual(['y', 'x']);
    expect(readDelimited('sep=;\ny; x \n').columns).toEqual(['y', 'x']);
    expect(readDelimited('x,,x,x\n1,2,3,4').columns).toEqual(['x', 'column 2', 'x (2)', 'x (3)']);
    expect(readDelimited('"y","x"\n"1",2,3\n"2",4,5').columns).toEqual(['column 1', 'y', 'x']);
  });

  it('is read without error, whatever its content', () => {
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

describe('rows of a sheet', () => {
  const shown = (rows: readonly (readonly string[])[]) => {
    const table = namedRows(rows);
    const numbers = Array.from({ length: table.numRows }, (_, i) => table.rowNumber(i));
    return [table.columns, Array.from({ length: table.numRows }, (_, i) => table.row(i)), numbers];
  };

  it('begin at the first with more than one cell, if there is one', () => {
    expect(
      shown([['', ''], ['Title', ' '], [], ['a', 'b', ''], ['1', ''], [' ', ''], ['2', '3']]),
    ).toEqual([
      ['a', 'b'],
      [
        ['1', ''],
        ['2', '3'],
      ],
      [5, 7],
    ]);
    expect(shown([[''], ['a'], ['1']])).toEqual([['a'], [['1']], [3]]);
  });

  it('without a header are all data, with numbered columns', () => {
    expect(shown([['1', '2'], ['3']])).toEqual([
      ['1', '2'],
      [['1', '2'], ['3']],
      [1, 2],
    ]);
  });

  it('are absent in an empty sheet, and empty after the last', () => {
    expect(shown([])).toEqual([[], [], []]);
    expect(shown([['', ' ']])).toEqual([[], [], []]);
    expect([namedRows([]).row(0), namedRows([]).rowNumber(0)]).toEqual([[], 0]);
  });
});

describe('the encoding of a file', () => {
  const text = 'Gemüse,2\n';
  const utf16 = (isLittleEndian: boolean, mark: string) => {
    const view = new DataView(new ArrayBuffer((mark + text).length * 2));
    Array.from(mark + text, (char, i) => view.setUint16(i * 2, char.charCodeAt(0), isLittleEndian));
    return new Uint8Array(view.buffer);
  };

  it('is recognised with and without a byte order mark', () => {
    const utf8 = new TextEncoder().encode(text);
    const latin = Uint8Array.from(text, (char) => char.charCodeAt(0));
    const narrow = [utf8, Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8), latin].map(decodeText);
    expect(narrow.map((one) => one?.encoding)).toEqual(['UTF-8', 'UTF-8', 'Windows-1252']);
    const wide = [utf16(true, '\ufeff'), utf16(false, '\ufeff'), utf16(true, ''), utf16(false, '')];
    for (const decoded of [...narrow, ...wide.map(decodeText)]) expect(decoded?.text).toBe(text);
    expect(wide.map((bytes) => decodeText(bytes)?.encoding)).toEqual(Array(4).fill('UTF-16'));
  });

  it('is UTF-16 without a byte order mark if most of the first characters are ASCII', () => {
    const littleEndian = (signs: string) =>
      Uint8Array.from(
        Array.from(signs, (sign) => sign.charCodeAt(0)).flatMap((code) => [code & 255, code >> 8]),
      );
    const bigEndian = (signs: string) => new Uint8Array(Buffer.from(littleEndian(signs)).swap16());
    for (const signs of ['aя,b', 'a,一,b,c', `${'a'.repeat(512)}${'я'.repeat(4000)}`])
      for (const bytes of [littleEndian(signs), bigEndian(signs)])
        expect(decodeText(bytes)).toEqual({ text: signs, encoding: 'UTF-16' });
    expect([littleEndian('aя,яb'), bigEndian('aя,яb')].map(decodeText)).toEqual([null, null]);
    expect(['\ufeffяя', '\ufeff一'].map((signs) => decodeText(littleEndian(signs))?.text)).toEqual([
      'яя',
      '一',
    ]);
    expect(decodeText(bigEndian('\ufeffяя'))?.text).toBe('яя');
    for (const bytes of [
      [0xff, 0x61],
      [0x61, 0xfe],
      [0xfe, 0x61],
      [0x61, 0xff],
    ])
      expect(decodeText(Uint8Array.from(bytes))?.encoding).toBe('Windows-1252');
    expect(decodeText(Uint8Array.of(...littleEndian('ab'), 0x0a))?.encoding).toBe('UTF-16');
    expect(decodeText(littleEndian('ab'))).toEqual({ text: 'ab', encoding: 'UTF-16' });
    expect(decodeText(littleEndian('aяяb'))).toBeNull();
    expect(decodeText(Uint8Array.of(0x61, 0))).toBeNull();
    expect(decodeText(Uint8Array.of(0x61, 0, 0, 0, 0x61, 0))).toBeNull();
    expect(decodeText(Uint8Array.of(0, 0x61, 0, 0, 0, 0x61))).toBeNull();
  });

  it('counts tabs and line ends as text, but not other control characters', () => {
    expect(decodeText(Uint8Array.of(0xe9, 0x09, 0xe9, 0x0d, 0x0a))).toEqual({
      text: 'é\té\r\n',
      encoding: 'Windows-1252',
    });
    expect(decodeText(Uint8Array.of(0xe9, 0x01))).toBeNull();
    expect(decodeText(Uint8Array.of(0x61, 0x1b))).toBeNull();
    expect(decodeText(new TextEncoder().encode('a\u0085\u007f'))?.encoding).toBe('UTF-8');
    expect(decodeText(new Uint8Array(0))).toEqual({ text: '', encoding: 'UTF-8' });
  });

  it('is null if the bytes are not text', () => {
    expect(decodeText(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 8, 0))).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void decodeText(bytes)),
      { seed: 1 },
    );
  });
});
