import { describe, expect, it } from 'vitest';
import {
  createMappingAnswers,
  identifyGiven,
} from '../../../src/dashboard/features/mapper/mapping-answers.ts';
import {
  choiceOfSource,
  choicesOf,
  sourceOfChoice,
} from '../../../src/dashboard/features/mapper/source-choices.ts';
import type { WantedVariable } from '../../../src/mapping/wanted.ts';
import { makeWorkbook } from '../../support/workbook.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const kindOf = (name: string, text: string) => identifyGiven({ name, bytes: bytes(text) });

describe('a data file', () => {
  it('is recognised as values, a table, or neither, by its name and content', async () => {
    expect(await kindOf('a.json', '{"N": 1}')).toEqual({ kind: 'values', text: '{"N": 1}' });
    expect(await kindOf('a.R', 'N <- 1L')).toEqual({ kind: 'values', text: '{"N":1}\n' });
    for (const name of ['a.csv', 'pasted'])
      expect(await kindOf(name, 'x\ty\n1\t2\n')).toEqual({ kind: 'table' });
    expect(await kindOf('a.csv', '[x],y\n1,2\n')).toEqual({ kind: 'table' });
    expect(await kindOf('notes', 'Some prose.')).toEqual({ kind: 'other' });
  });

  it('that is cut off or not an object is reported', async () => {
    expect(await kindOf('a.json', '{"N": 1,')).toEqual({
      kind: 'broken',
      isSyntax: true,
      message:
        'The data are not valid JSON: expected a name in double quotes, found the end in line 1, column 9. The file seems to be cut off.',
    });
    expect(await kindOf('a.json', '[1]')).toMatchObject({ kind: 'broken', isSyntax: false });
    const workbook = await identifyGiven({
      name: 'a.xlsx',
      bytes: Uint8Array.of(0x50, 0x4b, 3, 4, 0),
    });
    expect(workbook).toMatchObject({
      kind: 'broken',
      message: expect.stringMatching(/^The workbook cannot be read/),
    });
  });
});

describe('a workbook in the mapper', () => {
  const bytes = makeWorkbook({
    Cover: [['Report of 2024']],
    May: [
      ['day', 'share'],
      [new Date('2024-05-03T00:00:00Z'), { percent: 0.12 }],
      [new Date('2024-05-01T00:00:00Z'), { percent: 0.5 }],
    ],
    June: [
      ['day', 'share'],
      [new Date('2024-06-01T00:00:00Z'), { percent: 1 }],
    ],
  });
  const wanted: WantedVariable[] = ['day', 'share'].map((name) => ({
    name,
    isInt: false,
    dims: ['N'],
    lower: null,
    upper: null,
    text: '',
  }));

  it('opens with the first sheet that has a table, and reopens with the selected sheet', async () => {
    expect(await identifyGiven({ name: 'a.xlsx', bytes })).toEqual({ kind: 'table' });
    const answers = createMappingAnswers();
    const open = (sheet: string | null, earlierText: string | null = null) =>
      answers.open({ bytes, sheet, earlierText });
    expect(await open(null)).toMatchObject({
      table: { sheet: 'May', sheets: ['Cover', 'May', 'June'] },
    });
    expect(await open('Cover')).toEqual({
      ok: false,
      error: 'The sheet “Cover” has no rows of data.',
      sheets: ['Cover', 'May', 'June'],
    });
    await open('June');
    const guess = await answers.guess({ wanted, file: 'a.xlsx', earlierText: null });
    const { text } = await answers.apply(guess.mapping);
    expect(JSON.parse(text)).toMatchObject({
      day: [0],
      share: [1],
      meta__: {
        mapping: {
          reading: {
            sheet: 'June',
            columns: { day: { as: 'date', order: 'ymd', origin: '2024-06-01' } },
          },
        },
      },
    });
    expect(await open(null, text)).toMatchObject({ table: { sheet: 'June' } });
  });
});

describe('a table in the mapper', () => {
  it('is guessed, mapped, and mapped again from the stored data', async () => {
    const wanted: WantedVariable[] = [
      { name: 'J', isInt: true, dims: [], lower: 1, upper: null, text: 'int' },
      { name: 'g', isInt: true, dims: ['N'], lower: 1, upper: 'J', text: 'array[N] int' },
    ];
    const answers = createMappingAnswers();
    await answers.open({ bytes: bytes('g\nb\na\n'), sheet: null, earlierText: null });
    const { mapping } = await answers.guess({ wanted, file: 'a.csv', earlierText: null });
    const first = await answers.apply(mapping);
    expect(first).toMatchObject({ numRows: 2, problems: [], labels: { J: 2 } });
    expect(answers.hasMapping(first.text)).toBe(true);
    expect(answers.hasMapping('{"J": 1}')).toBe(false);

    await answers.open({ bytes: bytes('g\nc\na\n'), sheet: null, earlierText: null });
    const again = await answers.guess({ wanted: null, file: 'b.csv', earlierText: first.text });
    expect(again.notes[0]).toBe('New levels of “g”: c.');
    const second = JSON.parse((await answers.apply(again.mapping)).text);
    expect(second).toMatchObject({ J: 3, g: [3, 1] });
  });
});

describe('the selected source of a variable', () => {
  it('is read back as the source that was written', () => {
    const variable: WantedVariable = {
      name: 'g',
      isInt: true,
      dims: ['N'],
      lower: 1,
      upper: 'J',
      text: '',
    };
    const sources = [
      { from: 'column', column: 'a:b' },
      { from: 'factor', column: 'g', levels: [], base: 1 },
      { from: 'per-level', column: 'u', by: 'g' },
      { from: 'levels', column: 'g' },
      { from: 'width', of: 'X' },
      { from: 'rows' },
      { from: 'value', value: 0 },
    ] as const;
    for (const source of sources)
      expect(sourceOfChoice(choiceOfSource(source) ?? '', variable)).toEqual(source);
    expect(choicesOf(variable, [], {}).flatMap(({ items }) => items)).toEqual([
      { value: 'value', label: 'A value…' },
    ]);
  });
});
