/** Programs assembled from pieces of one full of complex numbers: rejected with a diagnostic, or compiled. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { hasErrors } from '../../../src/language/diagnostics.ts';
import { lex } from '../../../src/language/syntax/lexer.ts';
import { goodPrograms } from '../../language/sample-programs.ts';
import { countRuns, seedOfRuns } from '../../support/fuzz-runs.ts';

const text = goodPrograms.find(({ name }) => name === 'complex_everywhere')?.text ?? '';
const { tokens } = lex(text, 0);
const texts = tokens.map((token) => token.text);
const values = [
  ...new Set(texts.filter((word) => /^\w/.test(word))),
  '2i',
  '1',
  '.5',
  '[1, 2i]',
  '{1i}',
];

it('a program that the checker accepts compiles, whichever tokens are replaced', () => {
  const numRuns = countRuns(150);
  let compiled = 0;
  const edit = fc.array(fc.tuple(fc.nat(tokens.length - 1), fc.constantFrom(...values)), {
    minLength: 1,
    maxLength: 2,
  });
  fc.assert(
    fc.property(edit, (edits) => {
      const changed = [...texts];
      for (const [at, word] of edits) if (/^\w/.test(changed[at])) changed[at] = word;
      const { program, diagnostics } = compileProgram(changed.join(' '), { libraryKeys });
      if (program !== null) compiled++;
      expect(program === null).toBe(hasErrors(diagnostics));
      expect(diagnostics.map(({ code }) => code)).not.toContain('not-supported');
    }),
    { seed: seedOfRuns(1), numRuns },
  );
  expect(compiled).toBeGreaterThan(numRuns / 20);
});
