import fc from 'fast-check';
import { expect, it } from 'vitest';
import { paintProgram } from '../../../src/language/editor/paint.ts';
import { goodPrograms } from '../sample-programs.ts';

const joined = (text: string) =>
  paintProgram(text)
    .map((stretch) => stretch.text)
    .join('');
const rolesOf = (text: string) =>
  paintProgram(text).flatMap(({ text: piece, role }) => (role === null ? [] : [[piece, role]]));

it('keeps every character of every program', () => {
  for (const { text } of goodPrograms) expect(joined(text)).toBe(text);
});

it('keeps every character of any text', () => {
  const pieces = [
    '/*',
    '*/',
    '//',
    '"',
    '\n',
    '#include a',
    '1e',
    'real',
    '\\',
    '(',
    'é',
    '😀',
    '\ud800',
  ];
  const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5 })));
  fc.assert(
    fc.property(
      text.map((parts) => parts.join('')),
      (program) => joined(program) === program,
    ),
    { seed: 42 },
  );
});

it('assigns a role to each word', () => {
  const program =
    'data { int<lower=0> N; } // how many\nmodel { y ~ normal(my_f(x), 1.5); print("a" ); }';
  expect(rolesOf(program)).toEqual([
    ['data', 'keyword'],
    ['int', 'type'],
    ['<', 'operator'],
    ['lower', 'keyword'],
    ['=', 'operator'],
    ['0', 'number'],
    ['>', 'operator'],
    [';', 'operator'],
    ['// how many', 'comment'],
    ['model', 'keyword'],
    ['~', 'operator'],
    ['normal', 'function'],
    ['my_f', 'function'],
    [',', 'operator'],
    ['1.5', 'number'],
    [';', 'operator'],
    ['print', 'keyword'],
    ['"a"', 'string'],
    [';', 'operator'],
  ]);
});

it('accepts an unclosed comment and an empty text', () => {
  expect(rolesOf('real x /* for ever\n(1')).toEqual([
    ['real', 'type'],
    ['/* for ever\n(1', 'comment'],
  ]);
  expect(paintProgram('')).toEqual([]);
});
