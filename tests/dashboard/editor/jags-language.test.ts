/** Colours and brackets of JAGS, as the editor reads its grammar: the first rule that matches gives the colour. */
import { describe, expect, it } from 'vitest';
import { registerJags } from '../../../src/dashboard/editor/jags-language.ts';

type Action = string | { readonly cases: Readonly<Record<string, string>> };
type Rule = readonly [RegExp, Action | readonly string[], string?];
interface Grammar {
  readonly keywords: readonly string[];
  readonly tokenizer: Readonly<Record<string, readonly Rule[]>>;
}

function register() {
  const given: Record<string, unknown> = {};
  const languages = {
    register: (language: object) => Object.assign(given, { language }),
    setMonarchTokensProvider: (id: string, grammar: Grammar) =>
      Object.assign(given, { id, grammar }),
    setLanguageConfiguration: (of: string, configuration: object) =>
      Object.assign(given, { of, configuration }),
  };
  registerJags({ languages } as unknown as Parameters<typeof registerJags>[0]);
  return given as {
    language: { id: string; extensions: string[]; aliases: string[] };
    id: string;
    grammar: Grammar;
    of: string;
    configuration: {
      comments: object;
      brackets: string[][];
      autoClosingPairs: { open: string; close: string }[];
    };
  };
}

/** The colours of a text, each with the part that it covers; without spaces. */
function coloursOf(lines: string): string[] {
  const { keywords, tokenizer } = register().grammar;
  const states = ['root'];
  const found: string[] = [];
  for (const line of lines.split('\n')) {
    let at = 0;
    while (at < line.length) {
      const rule = tokenizer[states.at(-1) ?? ''].find(([expression]) => {
        const sticky = new RegExp(expression.source, 'y');
        sticky.lastIndex = at;
        return sticky.test(line);
      });
      if (rule === undefined) {
        at++;
        continue;
      }
      const [expression, action, next] = rule;
      const sticky = new RegExp(expression.source, 'y');
      sticky.lastIndex = at;
      const match = sticky.exec(line) as RegExpExecArray;
      const colour = (one: Action, text: string) =>
        typeof one === 'string'
          ? one
          : one.cases[keywords.includes(text) ? '@keywords' : '@default'];
      if (Array.isArray(action))
        for (const [i, one] of action.entries()) found.push(`${one} ${match[i + 1].trim()}`);
      else found.push(`${colour(action as Action, match[0])} ${match[0]}`);
      at += match[0].length;
      if (next === '@pop') states.pop();
      else if (next !== undefined) states.push(next.slice(1));
    }
  }
  return found;
}

describe('JAGS', () => {
  it('is recognised by file extensions', () => {
    const { language, id, of } = register();
    expect(language).toEqual({
      id: 'jags',
      extensions: ['.jags', '.bug', '.bugs'],
      aliases: ['JAGS'],
    });
    expect([id, of]).toEqual(['jags', 'jags']);
  });

  it.each([
    ['model # all of it {', ['keyword model', 'comment # all of it {']],
    [
      'x /* a\nb */ y',
      [
        'identifier x',
        'comment /*',
        ...'comment  |comment a|comment b|comment  '.split('|'),
        'comment */',
        'identifier y',
      ],
    ],
    [
      'y[i] ~ dnorm.2(mu)',
      [
        'identifier y',
        '@brackets [',
        'identifier i',
        '@brackets ]',
        'operator ~',
        'type dnorm.2',
        '@brackets (',
        'identifier mu',
        '@brackets )',
      ],
    ],
    [
      'y ~dbern (p)T(0,)',
      [
        'identifier y',
        'operator ~',
        'type dbern',
        '@brackets (',
        'identifier p',
        '@brackets )',
        'keyword T',
        '@brackets (',
        'number 0',
        'delimiter ,',
        '@brackets )',
      ],
    ],
    [
      'logit(p) <- a.b1 * x;',
      [
        'predefined logit',
        '@brackets (',
        'identifier p',
        '@brackets )',
        'operator <-',
        'identifier a.b1',
        'operator *',
        'identifier x',
        'delimiter ;',
      ],
    ],
    ['sum  (x)', ['predefined sum', '@brackets (', 'identifier x', '@brackets )']],
    [
      'for (i in 1:N) { }',
      [
        'keyword for',
        '@brackets (',
        'identifier i',
        'keyword in',
        'number 1',
        'operator :',
        'identifier N',
        '@brackets )',
        '@brackets {',
        '@brackets }',
      ],
    ],
    ['data var I()', ['keyword data', 'keyword var', 'keyword I', '@brackets (', '@brackets )']],
    [
      '1.5 10. .25 2e10 3.5E-12 4e+1',
      ['number 1.5', 'number 10.', 'number .25', 'number 2e10', 'number 3.5E-12', 'number 4e+1'],
    ],
    [
      'a %*% b %in% c',
      ['identifier a', 'operator %*%', 'identifier b', 'operator %in%', 'identifier c'],
    ],
    [
      'a <= b && !c',
      ['identifier a', 'operator <=', 'identifier b', 'operator &&', 'operator !', 'identifier c'],
    ],
  ])('colours %j', (text, colours) => expect(coloursOf(text)).toEqual(colours));

  it('closes its brackets and comments', () => {
    const { comments, brackets, autoClosingPairs } = register().configuration;
    expect(comments).toEqual({ lineComment: '#', blockComment: ['/*', '*/'] });
    const pairs = [
      ['{', '}'],
      ['[', ']'],
      ['(', ')'],
    ];
    expect(brackets).toEqual(pairs);
    expect(autoClosingPairs.map(({ open, close }) => [open, close])).toEqual(pairs);
  });
});
