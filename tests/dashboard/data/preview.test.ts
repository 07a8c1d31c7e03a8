import { describe, expect, it } from 'vitest';
import { PreviewDocument } from '../../../src/dashboard/features/data/preview-document.ts';
import { createAnswers } from '../../../src/dashboard/features/data/preview-source.ts';

describe('a document', () => {
  const json = new PreviewDocument(
    '{"J": 3, "y": [1, 2.5, null], "X": [[1, 2], [3, 4]], "who": [{"a": 1}, {"b": "x"}], "deep": [[[1]]]}',
    'json',
  );

  it('knows which of its entries are tables', () => {
    expect(json.summary).toMatchObject({ kind: 'json', problem: null, tables: ['y', 'X', 'who'] });
    expect(json.table('X')).toEqual({ numRows: 2, columns: ['1', '2'] });
    expect(json.table('deep')).toBeNull();
    expect(json.table('nothing')).toBeNull();
  });

  it('names integers that are shown rounded', () => {
    const roundingOf = (text: string) => new PreviewDocument(text, 'json').summary.rounding;
    expect(json.summary.rounding).toBeNull();
    expect(roundingOf('{"id": 9007199254740992}')).toBeNull();
    expect(roundingOf('{\n"id": 12345678901234567890}')).toBe(
      'Rounded, since a number keeps about 16 digits: 12345678901234567890 in line 2.',
    );
    expect(roundingOf('[9007199254740993, 1, 9007199254740995]')).toBe(
      'Rounded, since a number keeps about 16 digits: 9007199254740993 in line 1 and 1 more.',
    );
  });

  it('returns only the requested window', () => {
    const all = [0, 100] as const;
    expect(json.cells({ name: 'y', rows: [1, 100], columns: all })).toEqual([['2.5'], ['null']]);
    expect(json.cells({ name: 'X', rows: [1, 2], columns: [1, 2] })).toEqual([['4']]);
    expect(json.cells({ name: 'who', rows: all, columns: all })).toEqual([
      ['1', ''],
      ['', 'x'],
    ]);
    expect(json.cells({ name: 'J', rows: all, columns: all })).toEqual([]);
  });

  it('expands branch by branch', () => {
    expect(json.branch({ path: [], from: 0, to: 2 })).toEqual({
      total: 5,
      nodes: [
        { key: 'J', type: 'number', text: '3', size: 0 },
        { key: 'y', type: 'array', text: '', size: 3 },
      ],
    });
    expect(json.branch({ path: ['y'], from: 2, to: 9 }).nodes).toEqual([
      { key: '2', type: 'null', text: 'null', size: 0 },
    ]);
    expect(json.branch({ path: ['who', '1'], from: 0, to: 9 }).nodes[0].text).toBe('"x"');
    expect(json.branch({ path: ['J'], from: 0, to: 9 })).toEqual({ total: 0, nodes: [] });
  });

  it('of broken JSON reports a problem and shows the text', () => {
    const { summary } = new PreviewDocument('{"a": }', 'json');
    expect(summary).toMatchObject({ kind: 'text', tables: [], head: '{"a": }' });
    expect(summary.problem).toBeTruthy();
  });

  it('of CSV is one table', () => {
    const csv = new PreviewDocument('x,y\n1,2\n3,4\n', 'csv');
    expect(csv.summary).toMatchObject({ kind: 'csv', tables: [''] });
    expect(csv.cells({ name: '', rows: [0, 9], columns: [0, 9] })).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('of an R dump has the values of its variables, or the position of an error', () => {
    const dump = new PreviewDocument('J <- 2\ny <- c(1, 2.5)\n', 'raw');
    expect(dump.summary).toMatchObject({ kind: 'dump', problem: null, tables: ['y'] });
    expect(dump.cells({ name: 'y', rows: [0, 9], columns: [0, 9] })).toEqual([['1'], ['2.5']]);
    const broken = new PreviewDocument('J <- 2\ny <- c(1, NA)\n', 'raw');
    expect(broken.summary).toMatchObject({ kind: 'text', tables: [] });
    expect(broken.summary.problem).toMatch(
      /^This R dump cannot be read: .* \(line 2, column 11\)\.$/,
    );
  });

  it('of a table that a spreadsheet saved in Windows-1252 or UTF-16 is read as text', () => {
    const { open } = createAnswers();
    const latin = Uint8Array.from(Buffer.from('Schule;x\nChoaté;1\n', 'latin1'));
    expect(open({ bytes: latin, fmt: 'csv' })).toMatchObject({
      kind: 'csv',
      head: expect.stringContaining('Choaté'),
    });
    const wide = Uint8Array.from(Buffer.from('\ufeffx\ty\n1\t2\n', 'utf16le'));
    expect(open({ bytes: wide, fmt: 'csv' })).toMatchObject({ kind: 'csv', tables: [''] });
  });

  it('of bytes that are not text is refused', () => {
    const answers = createAnswers();
    const ask = { bytes: new Uint8Array([0x50, 0x4b, 0x03, 0x00]), fmt: 'raw' };
    expect(() => answers.open(ask)).toThrow(TypeError);
  });
});
