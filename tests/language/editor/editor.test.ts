import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { libraryForm, parameterNames, printForm } from '../../../src/language/editor/call-forms.ts';
import { complete } from '../../../src/language/editor/complete.ts';
import { distributionDocOf, docOf, wordDoc } from '../../../src/language/editor/docs-table.ts';
import { monarchGrammar } from '../../../src/language/editor/highlighting.ts';
import { hover } from '../../../src/language/editor/hover.ts';
import { definition, outline } from '../../../src/language/editor/outline.ts';
import { typeWords } from '../../../src/language/syntax/token.ts';
import {
  libraryDistributions,
  libraryNames,
  signaturesOf,
} from '../../../src/language/types/signatures/signature-table.ts';

const program = `functions {
  real shifted_lpdf(vector y, data real by) {
    real total = normal_lpdf(y | by, 1);
    return total;
  }
}
data {
  int<lower=0> N;
  array[2] vector[N] y;
}
parameters {
  real<lower=0> sigma;
}
model {
  for (i in 1:2) {
    y[i] ~ shifted(2.5);
    y[i] ~ normal(0, sigma);
  }
}
`;

/** Splits at `‸`, the cursor. */
function at(text: string): { result: ReturnType<typeof checkProgram>; offset: number } {
  const offset = text.indexOf('‸');
  return { result: checkProgram(text.replace('‸', '')), offset };
}

/** Just after the start of the nth `word` of the program above. */
function placeOf(
  word: string,
  nth = 1,
): { result: ReturnType<typeof checkProgram>; offset: number } {
  let offset = -1;
  for (let i = 0; i < nth; i++) offset = program.indexOf(word, offset + 1);
  return { result: checkProgram(program), offset: offset + 1 };
}

describe('hover', () => {
  it.each([
    ['sigma', 1, 'real<lower=0> sigma', 'Parameter.'],
    ['sigma)', 1, 'real<lower=0> sigma', 'Parameter.'],
    ['y[i]', 1, 'array[2] vector[N] y', 'Data.'],
    ['i]', 1, 'int i', 'Loop variable.'],
    ['total;', 1, 'real total', 'Local variable.'],
    ['by,', 1, 'data real by', 'Argument of the function.'],
    ['shifted(', 1, 'real shifted_lpdf(vector y | data real by)', 'A function of this program.'],
    [
      'normal(',
      1,
      'real normal_lpdf(reals y | reals mu, reals sigma)',
      'Log density: normal with mean mu and standard deviation sigma. Support: y real; sigma > 0.',
    ],
    [
      'normal_lpdf',
      1,
      'real normal_lpdf(reals y | reals mu, reals sigma)',
      'Log density: normal with mean mu and standard deviation sigma. Support: y real; sigma > 0.',
    ],
    ['vector[N]', 1, 'vector', 'A column of reals.'],
    ['parameters', 1, 'parameters', 'The unknown values, which are sampled.'],
  ])('of %s (%i)', (word, nth, code, text) => {
    const { result, offset } = placeOf(word, nth);
    expect(hover(result, offset)).toMatchObject({ code, text });
  });

  it('is silent on blanks, numbers and comments', () => {
    const { result, offset } = at('// normal ‸\nmodel { }');
    expect(hover(result, offset)).toBeNull();
    const number = placeOf('2.5');
    expect(hover(number.result, number.offset)).toBeNull();
  });
});

describe('definition', () => {
  it.each([
    ['sigma)', 'sigma;'],
    ['i]', 'i in'],
    ['total;', 'total ='],
    ['shifted(', 'shifted_lpdf'],
    ['by,', 'by)'],
  ])('of %s', (word, target) => {
    const { result, offset } = placeOf(word);
    expect(definition(result, offset)?.start).toBe(program.indexOf(target));
  });

  it('of a library function is null', () => {
    const { result, offset } = placeOf('normal_lpdf');
    expect(definition(result, offset)).toBeNull();
  });
});

describe('complete', () => {
  const labels = (text: string): string[] => {
    const { result, offset } = at(text);
    return complete(result, offset).items.map(({ label }) => label);
  };

  it('offers distributions after ~, those of the user first', () => {
    const list = labels(program.replace('normal(0, sigma);', 'nor‸'));
    expect(list[0]).toBe('shifted');
    expect(list).toContain('normal');
    expect(list).not.toContain('normal_lpdf');
    expect(list).not.toContain('sigma');
  });

  it('offers variables in scope, innermost first, and functions in an expression', () => {
    const list = labels('data { int N; } model { real a; { real b; } real c = ‸ }');
    expect(list.slice(0, 2)).toEqual(['a', 'N']);
    expect(list).toContain('log_sum_exp');
    expect(list).not.toContain('b');
    expect(list).not.toContain('normal_rng');
    expect(list).not.toContain('for');
  });

  it('offers random functions in generated quantities only', () => {
    expect(labels('generated quantities { real x = ‸ }')).toContain('normal_rng');
    expect(labels('generated quantities { real x = ‸ }')).not.toContain('normal_lupdf');
  });

  it('offers statements and types where a statement begins', () => {
    const list = labels('model { target += 1; ‸ }');
    expect(list).toEqual(expect.arrayContaining(['target +=', 'for', 'real', 'vector', 'array']));
  });

  it('offers constraints, missing blocks, and nothing for a new name', () => {
    expect(labels('data { real<‸ }')).toEqual(['lower', 'upper', 'offset', 'multiplier']);
    expect(labels('data { }\n‸\nmodel { }')).toContain('parameters');
    expect(labels('data { }\n‸\nmodel { }')).not.toContain('data');
    expect(labels('data { real x‸ }')).toEqual([]);
    expect(labels('model { // x‸\n }')).toEqual([]);
    expect(labels('model { print("x‸"); }')).toEqual([]);
  });

  it('offers arguments and locals of a function, even in a broken program', () => {
    const list = labels('functions { real f(real first, int second) { real third; return fi‸');
    expect(list).toEqual(expect.arrayContaining(['first', 'second', 'third', 'f']));
  });

  it('replaces the word under the cursor', () => {
    const { result, offset } = at('model { real a = exp‸; }');
    expect(complete(result, offset).span).toEqual({ file: 0, start: 17, end: 20 });
  });
});

describe('complex numbers', () => {
  const say = (text: string) => {
    const { result, offset } = at(text);
    return hover(result, offset);
  };

  it('show documentation for their types and functions', () => {
    expect(say('data { complex_vec‸tor[2] z; }')?.text).toBe('A column of complex numbers.');
    expect(say('data { array[3] complex z; } model { print(z‸[1]); }')?.code).toBe(
      'array[3] complex z',
    );
    expect(say("model { complex_vector[2] z = ff‸t([1i, 2]'); }")?.code).toContain(
      'complex_vector',
    );
    expect(say('model { real x = get_im‸ag(1 + 2i); }')?.text).toContain('Imaginary parts');
  });

  it('are offered where a type is expected', () => {
    const { result, offset } = at('parameters { compl‸ }');
    const labels = complete(result, offset).items.map(({ label }) => label);
    expect(labels).toEqual(
      expect.arrayContaining(['complex', 'complex_vector', 'complex_row_vector', 'complex_matrix']),
    );
  });
});

describe('tuples', () => {
  const head = `functions { tuple(real, vector) f(tuple(int, real) a) { return (a.1, [a.2]'); } }
data { array[2, 3] tuple(real<lower=0>, tuple(vector[3], int)) x; }
`;
  const membersAt = (text: string) => {
    const { result, offset } = at(`${head}${text}`);
    return complete(result, offset).items.map(({ label, detail }) => `${label}: ${detail}`);
  };

  it('offer their members after a dot, even in code that does not parse', () => {
    const members = ['1: real', '2: tuple(vector, int)'];
    expect(membersAt('transformed data { real a = x[1, 2].‸; }')).toEqual(members);
    expect(membersAt('transformed data { real a = x[1][2].‸')).toEqual(members);
    expect(membersAt('transformed data { print(x[1, x[1, 1].2.2].‸); }')).toEqual(members);
    expect(membersAt('transformed data { print(x[1, 1].2.‸); }')).toEqual(['1: vector', '2: int']);
    expect(membersAt('transformed data { for (t in x[1]) print(t.1‸); }')).toEqual(members);
    expect(membersAt('transformed data { print(x[1, 1].2‸); }')).toEqual(members);
    expect(membersAt('transformed data { print(x.‸); }')).toEqual([]);
    expect(membersAt('transformed data { print(3.‸); }')).toEqual([]);
    expect(membersAt('transformed data { print(nowhere.‸); }')).toEqual([]);
  });

  it('offer types between their brackets', () => {
    expect(membersAt('parameters { tuple(‸ }')).toContain('simplex: type');
    expect(membersAt('parameters { tuple(real, array[2] tuple(int, ‸ }')).toContain('tuple: type');
  });

  it('describe a member on hover', () => {
    const say = (text: string) => {
      const { result, offset } = at(`${head}${text}`);
      return hover(result, offset);
    };
    expect(say('transformed data { vector[3] a = x[1, 2].‸2.1; }')).toMatchObject({
      code: 'tuple(vector, int) x[1, 2].2',
      text: 'Member 2 of 2.',
    });
    expect(say('transformed data { vector[3] a = x[1, 2].2.1‸; }')?.code).toBe(
      'vector x[1, 2].2.1',
    );
    expect(say('transformed data { real a = x‸[1, 2].1; }')?.code).toBe(
      'array[2, 3] tuple(real<lower=0>, tuple(vector[3], int)) x',
    );
    expect(say('transformed data { real a = f‸((1, 2)).1; }')?.code).toBe(
      'tuple(real, vector) f(tuple(int, real) a)',
    );
  });
});

describe('outline', () => {
  it('lists blocks with what they declare', () => {
    const tree = outline(checkProgram(program));
    expect(
      tree.map(({ name, children }) => [name, children.map((c) => `${c.name}: ${c.detail}`)]),
    ).toEqual([
      ['functions', ['shifted_lpdf: (vector y, data real by) => real']],
      ['data', ['N: int<lower=0>', 'y: array[2] vector[N]']],
      ['parameters', ['sigma: real<lower=0>']],
      ['model', []],
    ]);
  });
});

describe('the docs table', () => {
  it('describes every distribution and every type', () => {
    for (const { name } of libraryDistributions())
      expect(distributionDocOf(name), name).not.toBeNull();
    const undescribed = /^sum_to_zero_matrix$/;
    for (const word of typeWords) {
      if (!undescribed.test(word)) expect(wordDoc(word), word).not.toBeNull();
    }
  });

  it('describes every function, and names the arguments of every signature', () => {
    const names = libraryNames();
    expect(names.length).toBeGreaterThan(600);
    expect(names.filter((name) => (docOf(name)?.meaning ?? '') === '')).toEqual([]);
    const nameless = names.flatMap((name) =>
      signaturesOf(name)
        .filter((pattern) => parameterNames(pattern) === null)
        .map((pattern) => printForm(libraryForm(pattern)).text),
    );
    expect(nameless).toEqual([]);
  });

  it('states the support of every distribution', () => {
    const distributions = libraryDistributions().filter(({ name }) => !name.startsWith('laplace_'));
    expect(distributions.length).toBeGreaterThan(70);
    const unsupported = distributions.filter(({ name }) => !distributionDocOf(name)?.support);
    expect(unsupported).toEqual([]);
  });

  it('keeps a function apart from the distribution of the same name', () => {
    expect(docOf('beta')?.meaning).toBe('Beta function.');
    expect(distributionDocOf('beta')?.meaning).toContain('Beta on (0, 1)');
    expect(docOf('beta_lpdf')?.call).toBe('beta_lpdf(y | alpha, beta)');
  });
});

describe('highlighting', () => {
  it('has rules that match at a position and never match the empty text', () => {
    const { tokenizer } = monarchGrammar();
    const rules = tokenizer.root.map(([pattern]) => pattern as RegExp);
    for (const text of [
      'target',
      'vector',
      'normal(',
      '1.5e-3',
      '"s"',
      '// c',
      '#include "x"',
      '.*',
      '{',
      ';',
    ]) {
      const rule = rules.find((pattern) => new RegExp(`^(?:${pattern.source})`).test(text));
      expect(rule, text).toBeDefined();
    }
    for (const rule of rules) expect(rule.test('')).toBe(false);
  });
});
