/** A program's text reaches the emitted JavaScript only through the printer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mangle, numberLiteral, quote, Writer } from '../../../src/language/emit/printer.ts';
import { emittedText, modelOf, outputsAt } from '../../support/stan-program.ts';

// These tests check that text is JavaScript with the right meaning.
// oxlint-disable-next-line typescript/no-implied-eval
const evaluate = (text: string): unknown => new Function(`"use strict"; return ${text};`)();

describe('literals', () => {
  it('strings evaluate to the original, in printable ASCII without tags', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const literal = quote(text);
        expect(evaluate(literal)).toBe(text);
        expect(literal).toMatch(/^"[\x20-\x7e]*"$/);
        expect(literal).not.toMatch(/[<>&]/);
      }),
    );
  });

  it('numbers evaluate to the original, also as operands', () => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        expect(Object.is(evaluate(numberLiteral(x)), x)).toBe(true);
        expect(Object.is(evaluate(`0 - ${numberLiteral(x)}`), 0 - x)).toBe(true);
      }),
    );
  });

  it('names become identifiers whatever they contain, and never collide', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.string(), fc.nat(), (a, i, b, j) => {
        const names = [mangle(a, i), mangle(b, j)];
        for (const name of names)
          expect(evaluate(`(() => { const ${name} = 7; return ${name}; })()`)).toBe(7);
        if (i !== j) expect(names[0]).not.toBe(names[1]);
      }),
    );
  });
});

describe('writer', () => {
  it('writes blocks', () => {
    const out = new Writer();
    out.block('if (a)', () => out.append('b;\nc;'), ' // end');
    expect(out.toString()).toBe('if (a) {\nb;\nc;\n} // end');
  });
});

describe('hostile programs', () => {
  const names = [
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'eval',
    'arguments',
    'this_',
    'undefined',
    'NaN',
    'Infinity',
    'L',
    'host',
    'data_',
    'tape',
    'at',
    'fail',
    'target_',
    'rng',
    'out',
    'theta',
    'propto',
    'places',
    'size_',
    'variables',
    'logDensity',
    'constrain',
    'column',
    'error',
    'await',
    'async',
    'class_',
    'let',
    'const',
    'new',
    'delete',
    'function_',
    'yield',
    'Math',
    'Float64Array',
    'globalThis',
    'process',
    'require',
  ];

  it.each(names)('a variable may be called %s', (name) => {
    const source = `parameters { real ${name}; } model { ${name} ~ normal(0, 1); } generated quantities { real copy_ = ${name} + 1; }`;
    expect(outputsAt(modelOf(source), Float64Array.of(2)).copy_).toBe(3);
  });

  it('a function and its arguments may be called anything', () => {
    const source = `functions { real constructor(real tape, real L) { real eval = tape * L; return eval; } }
generated quantities { real x = constructor(2, 3); }`;
    expect(outputsAt(modelOf(source)).x).toBe(6);
  });

  it('strings are printed and never executed', () => {
    const hostile = "`${process.exit(1)}` \\n </script> */ // ' ); throw 1; ({";
    const lines: string[] = [];
    const source = `generated quantities { print("${hostile}"); profile("${hostile}") { } }`;
    outputsAt(modelOf(source, {}, { print: (text) => lines.push(text) }));
    expect(lines).toEqual([hostile]);
    expect(emittedText(source)).not.toContain('</script>');
  });

  it('strings from a fuzzer are printed and never executed', () => {
    const characters = fc.constantFrom(...Array.from("`$\\'{}();/*<>!-=\u2028\u00e9 \tabc"));
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const lines: string[] = [];
        const source = `generated quantities { print("${text}"); }`;
        outputsAt(modelOf(source, {}, { print: (line) => lines.push(line) }));
        expect(lines).toEqual([text]);
      }),
      { numRuns: 60 },
    );
  });

  it('names of included files are shown and never executed', () => {
    const name = "a'$&`);process.exit(1)}.stan";
    const files = new Map([[name, 'array[1] int a = {1 %/% 0};']]);
    const source = `transformed data {\n#include ${name}\n}`;
    expect(() => modelOf(source, {}, { files })).toThrow(`line 1 of ${name}`);
  });
});
