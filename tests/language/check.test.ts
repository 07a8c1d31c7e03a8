/** Whatever the text, the front end responds: no throw, no hang, spans inside their files. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../src/engine/compile-model.ts';
import { type CheckResult, checkProgram } from '../../src/language/check.ts';
import { compileProgram } from '../../src/language/compile.ts';
import { render } from '../../src/language/diagnostics.ts';
import { complete } from '../../src/language/editor/complete.ts';
import { hover } from '../../src/language/editor/hover.ts';
import { formatProgram } from '../../src/language/format/format-program.ts';
import { pedanticWarnings } from '../../src/language/pedantic/pedantic-warnings.ts';
import type { Span } from '../../src/language/source/span.ts';
import { lex } from '../../src/language/syntax/lexer.ts';
import { walkProgram } from '../../src/language/syntax/walk.ts';
import { threadMs } from '../fuzz/thread-time.ts';
import { seedOfRuns } from '../support/fuzz-runs.ts';
import { goodPrograms } from './sample-programs.ts';

function expectSpansInside({ files, diagnostics, program }: CheckResult): void {
  const check = (span: Span): void => {
    const inside =
      span.start >= 0 && span.start <= span.end && span.end <= files[span.file].text.length;
    if (!inside) expect.unreachable(`span ${JSON.stringify(span)}`);
  };
  for (const diagnostic of diagnostics) {
    check(diagnostic.span);
    for (const { span } of diagnostic.related) check(span);
    expect(render(diagnostic, files)).toContain(diagnostic.code);
  }
  walkProgram(program, {
    function: ({ span, name }) => [span, name.span].forEach(check),
    statement: ({ span }) => check(span),
    expression: ({ span }) => check(span),
  });
  for (const span of Object.values(program.blocks)) check(span);
}

function survive(text: string, at: number): void {
  const result = checkProgram(text);
  expectSpansInside(result);
  const offset = Math.min(at, text.length);
  hover(result, offset);
  complete(result, offset);
  formatProgram(text);
  const hints = pedanticWarnings(result, true);
  expectSpansInside({ ...result, diagnostics: hints });
}

const oddWords = [
  'tuple',
  'complex',
  '2i',
  '.5e3i',
  '1_i',
  'complex_matrix',
  '<-',
  '#include x',
  '"s',
  '/*',
  '//',
  '\n',
  'T',
  '@',
  '“',
  'constructor',
  '__proto__',
  'arguments',
  'toString',
];
const goodWords = goodPrograms.flatMap(({ text }) =>
  lex(text, 0).tokens.map((token) => token.text),
);
const tokens = [...new Set([...goodWords, ...oddWords])];
const programText = fc.constantFrom(...goodPrograms.map(({ text }) => text));

describe('the checker survives', () => {
  it('random bytes', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(200), survive), {
      seed: 1,
      numRuns: 200,
    });
  });

  it('random token soup', () => {
    const soup = fc
      .array(fc.constantFrom(...tokens), { maxLength: 80 })
      .map((list) => list.join(' '));
    fc.assert(fc.property(soup, fc.nat(200), survive), { seed: 2, numRuns: 300 });
    const inModel = soup.map((text) => `data { int N; } model { ${text} }`);
    fc.assert(fc.property(inModel, fc.nat(200), survive), { seed: 3, numRuns: 300 });
  });

  it('good programs cut off anywhere', () => {
    fc.assert(
      fc.property(programText, fc.double({ min: 0, max: 1, noNaN: true }), (text, part) => {
        const end = Math.floor(part * text.length);
        survive(text.slice(0, end), end);
      }),
      { seed: 4, numRuns: 200 },
    );
  });

  it('good programs with a piece taken out or put in', () => {
    const edit = fc.tuple(programText, fc.nat(3000), fc.nat(8), fc.constantFrom(...tokens, ''));
    fc.assert(
      fc.property(edit, ([text, at, length, word]) => {
        const start = at % (text.length + 1);
        survive(text.slice(0, start) + word + text.slice(start + length), start);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});

describe('a program with randomly replaced words', () => {
  // A word of the same program and kind keeps many programs valid; an arbitrary word rarely does.
  const change = fc.oneof(
    { arbitrary: fc.record({ at: fc.nat(), other: fc.nat() }), weight: 4 },
    fc.record({ at: fc.nat(), word: fc.constantFrom(...goodWords, ...oddWords) }),
  );
  const mutated = fc
    .tuple(programText, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) =>
      changes.reduce((whole, one) => {
        const places = lex(whole, 0).tokens;
        const place = places[one.at % Math.max(1, places.length)];
        // no tokens are left if a comment has swallowed them
        if (!place) return whole;
        const alike = places.filter(({ kind }) => kind === place.kind);
        const word = 'word' in one ? one.word : alike[one.other % alike.length].text;
        return whole.slice(0, place.start) + word + whole.slice(place.end);
      }, text),
    );
  const many = Number(process.env.FUZZ_RUNS ?? 0);

  it('is checked in time, and emits JavaScript that loads if it is accepted', () => {
    let accepted = 0;
    const property = fc.property(mutated, (text) => {
      const before = threadMs();
      survive(text, text.length >> 1);
      const took = threadMs() - before;
      // by processor time, only if nothing else runs: `npm run fuzz`
      if (many > 0 && text.split('\n').length <= 200) expect(took).toBeLessThan(50);
      const { program } = compileProgram(text, { libraryKeys });
      if (program === null) return;
      accepted += 1;
      // oxlint-disable-next-line typescript/no-implied-eval
      expect(() => new Function('L', program.javascript)).not.toThrow();
    });
    const seed = seedOfRuns(6);
    fc.assert(property, { seed, numRuns: many || 300 });
    expect(accepted).toBeGreaterThan(20);
  });
});

describe('the work of the checker grows with the text', () => {
  it('reads each token a bounded number of times', () => {
    // Counted, not timed: twice the statements cost about twice the tree nodes and no more diagnostics.
    const count = (statements: number): number => {
      const text = `data { int N; vector[N] y; } model { ${'y ~ normal(N * 2 + 1, 3); '.repeat(statements)} }`;
      let nodes = 0;
      walkProgram(checkProgram(text).program, {
        statement: () => nodes++,
        expression: () => nodes++,
      });
      return nodes;
    };
    expect(count(400) / count(200)).toBeLessThan(2.05);
  });

  it('never rereads a broken statement: diagnostics stay few', () => {
    const broken = checkProgram(`model { ${'x = ((( ; '.repeat(500)} }`);
    expect(broken.diagnostics.length).toBeLessThanOrEqual(1001);
  });
});
