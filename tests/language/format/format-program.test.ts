import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { formatProgram } from '../../../src/language/format/format-program.ts';
import { lex } from '../../../src/language/syntax/lexer.ts';
import { parse } from '../../../src/language/syntax/parse.ts';
import { plainProgram, spacedProgram } from './random-program.ts';
import { realPrograms } from './samples.ts';

function formatted(text: string, lineLength?: number): string {
  const result = formatProgram(text, lineLength);
  if ('problem' in result) return expect.unreachable(result.problem);
  return result.text;
}

/** The syntax tree without source positions. */
function treeOf(text: string): string {
  const { program } = parse({ name: 'main.stan', text }, () => '');
  const { blocks: _blocks, ...tree } = program;
  return JSON.stringify(tree, (key, value: unknown) => (key === 'span' ? undefined : value));
}

function commentsOf(text: string): string[] {
  return lex(text, 0).comments.map((comment) =>
    text.slice(comment.start, comment.end).replaceAll(/\s+/g, ' ').trim(),
  );
}

describe('formatting a program', () => {
  it('indents, spaces and puts each statement on a line', () => {
    const text = `functions{real f(real x,data array[,]real y){if(x>0)return -x;else if(x<-1){return x^2;}else return x.^2;}}
data{int<lower = 0,upper=10>N;array[ N , 2 ]vector<lower=0>[ 3 ]x;}
model{for(i in 1 : N){x[i,1][ 2 : ]~normal(0,1)T[ , 3 ];target+=a?b:c;}
y~std_normal();z={1,2}[1]*-3+x';
}`;
    expect(formatted(text)).toBe(`functions {
  real f(real x, data array[,] real y) {
    if (x > 0) 
      return -x;
    else if (x < -1) {
      return x ^ 2;
    } else 
      return x .^ 2;
  }
}
data {
  int<lower=0, upper=10> N;
  array[N, 2] vector<lower=0>[3] x;
}
model {
  for (i in 1 : N) {
    x[i, 1][2 : ] ~ normal(0, 1) T[ , 3];
    target += a ? b : c;
  }
  y ~ std_normal();
  z = {1, 2}[1] * -3 + x';
}
`);
  });

  it('writes tuples as Stan does', () => {
    const text = `functions{tuple ( real,array[ ]int ) f(data tuple(real , int)x){return(x.1,{x.2});}}
data{array[2]tuple(int<lower = 0>,vector [3])y;tuple(real ,) z;}
model{real a=y[1] .2 [3]+f((1,2)) .1;(a,b)=(1 ,2);c=(1,2).1*z.1;d.2 .3[1]+=x[1].1';return .5;}`;
    expect(formatted(text)).toBe(`functions {
  tuple(real, array[] int) f(data tuple(real, int) x) {
    return (x.1, {x.2});
  }
}
data {
  array[2] tuple(int<lower=0>, vector[3]) y;
  tuple(real,) z;
}
model {
  real a = y[1].2[3] + f((1, 2)).1;
  (a, b) = (1, 2);
  c = (1, 2).1 * z.1;
  d.2.3[1] += x[1].1';
  return .5;
}
`);
  });

  it('breaks long lines where operators and arguments begin', () => {
    const text = `model{ a_long_name ~ normal(first_argument_of_it + second_argument * third, scale_of_them_all);
      target += multi_normal_cholesky_lpdf(y | mu_of_group_one + offset_of_group, quad_form_diag(Omega, tau));
      real total = alpha_intercept + beta_slope * predictor_one + gamma_slope * predictor_two + delta;
      x = very_long_condition_name > 0.0001 ? the_value_of_the_first_branch : the_value_of_the_second; }`;
    expect(formatted(text)).toBe(`model {
  a_long_name ~ normal(first_argument_of_it + second_argument * third,
                       scale_of_them_all);
  target += multi_normal_cholesky_lpdf(y | mu_of_group_one + offset_of_group,
              quad_form_diag(Omega, tau));
  real total = alpha_intercept + beta_slope * predictor_one
               + gamma_slope * predictor_two + delta;
  x = very_long_condition_name > 0.0001 ? the_value_of_the_first_branch
      : the_value_of_the_second;
}
`);
    const most = Math.max(
      ...formatted(text, 40)
        .split('\n')
        .map((line) => line.length),
    );
    expect(most).toBeLessThanOrEqual(44);
  });

  it('keeps comments and single blank lines where they were', () => {
    const text = `// head
data { // data
  int N;   // count



  /* two
     lines */
  real x;
  // last
}
model {
  for (i in 1:N) // loop
      target +=
  i /* inner */ + 1;
}`;
    expect(formatted(text)).toBe(`// head
data {
  // data
  int N; // count
  
  /* two
     lines */
  real x;
  // last
}
model {
  for (i in 1 : N)  // loop
    target += i /* inner */ + 1;
}
`);
  });

  it('keeps text between blocks and after the last one', () => {
    expect(formatted('data { }\n// between\nmodel { }\n// end')).toBe(
      'data {\n  \n}\n// between\nmodel {\n  \n}\n// end\n',
    );
    expect(formatted('')).toBe('');
  });

  it('keeps old array syntax and comments that begin with #', () => {
    expect(formatted('data{real x[3];# old\nint y[2,3] ;}')).toBe(
      'data {\n  real x[3]; # old\n  int y[2, 3];\n}\n',
    );
  });

  it('formats the functions and statements of an included file', () => {
    expect(formatted('real f(real x){return x;}\nvoid g();')).toBe(
      'real f(real x) {\n  return x;\n}\nvoid g();\n',
    );
    expect(formatted('x~normal(0,1);#include "more.stan"\nfor(i in 1:2)y=1;')).toBe(
      'x ~ normal(0, 1); #include more.stan\nfor (i in 1 : 2) \n  y = 1;\n',
    );
  });

  it('reports the line on which a program cannot be parsed', () => {
    const broken = formatProgram('data { int N; }\nmodel { x ~ ; }');
    expect(broken).toEqual({ problem: expect.stringContaining('line 2') as string });
    expect(formatProgram('model{print("a);}')).toHaveProperty('problem');
    expect(formatProgram('model{ /* }')).toHaveProperty('problem');
  });
});

describe('formatting keeps', () => {
  it('the tree and comments of all sample programs, and changes nothing the second time', () => {
    for (const { name, text } of realPrograms) {
      const once = formatted(text);
      expect(treeOf(once), name).toBe(treeOf(text));
      expect(commentsOf(once), name).toEqual(commentsOf(text));
      expect(formatted(once), name).toBe(once);
      const codes = (program: string) => checkProgram(program).diagnostics.map(({ code }) => code);
      expect(codes(once), name).toEqual(codes(text));
    }
  });

  it('the tree and all comments of random programs', () => {
    fc.assert(
      fc.property(spacedProgram, fc.constantFrom(78, 40, 120), (text, lineLength) => {
        const result = formatProgram(text, lineLength);
        fc.pre('text' in result);
        expect(treeOf(result.text)).toBe(treeOf(text));
        expect(commentsOf(result.text).sort()).toEqual(commentsOf(text).sort());
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  it('one text for random programs without comments, however they are spaced', () => {
    fc.assert(
      fc.property(plainProgram, fc.constantFrom(' ', '  ', '\t'), (text, blank) => {
        const result = formatProgram(text);
        fc.pre('text' in result);
        expect(formatted(result.text)).toBe(result.text);
        const spaced = text.replaceAll(' ', blank).replaceAll(`a${blank}string`, 'a string');
        expect(formatted(spaced)).toBe(result.text);
      }),
      { seed: 8, numRuns: 150 },
    );
  });

  it('comments in place once they have moved', () => {
    fc.assert(
      fc.property(spacedProgram, (text) => {
        let now = text;
        let last = '';
        for (let times = 0; times < 4 && now !== last; times++) {
          last = now;
          const result = formatProgram(now);
          fc.pre('text' in result);
          now = result.text;
        }
        expect(now).toBe(last);
      }),
      { seed: 9, numRuns: 100 },
    );
  });

  it('names that have a meaning elsewhere', () => {
    const text =
      'data {\n  int constructor;\n  int arguments;\n  int hasOwnProperty;\n  int T;\n}\n';
    expect(formatted(text)).toBe(text);
  });
});
