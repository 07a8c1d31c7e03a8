import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format } from '../../../src/language/editor/format.ts';
import { lex } from '../../../src/language/syntax/lexer.ts';
import { goodPrograms } from '../sample-programs.ts';

describe('format', () => {
  it('spaces and indents', () => {
    const text = `functions{real f(real x,data array[,]real y){if(x>0)return -x;else if(x<-1){return x^2;}else return x.^2;}}
data{int<lower = 0,upper=10>N;array[ N , 2 ]vector<lower=0>[ 3 ]x;}
model{for(i in 1 : N){x[i,1][ 2 : ]~normal(0,1)T[ , 3 ];target+=a?b:c;}
y~std_normal();z={1,2}[1]*-3+x';
}`;
    expect(format(text)).toBe(`functions {
  real f(real x, data array[,] real y) {
    if (x > 0) return -x;
    else if (x < -1) {
      return x^2;
    } else return x .^ 2;
  }
}
data {
  int<lower=0, upper=10> N;
  array[N, 2] vector<lower=0>[3] x;
}
model {
  for (i in 1:N) {
    x[i, 1][2:] ~ normal(0, 1) T[, 3];
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
    expect(format(text)).toBe(`functions {
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
    expect(format(text)).toBe(`// head
data { // data
  int N; // count

  /* two
     lines */
  real x;
  // last
}
model {
  for (i in 1:N) // loop
    target +=
        i /* inner */ + 1;
}
`);
  });

  it('indents a body without braces, and a closing brace as its opening line', () => {
    const text =
      'model {\nfor (i in 1:2)\nfor (j in 1:2) {\nx = 1;\n}\nif (a\n&& b) {\ny = 2;\n}\n}';
    expect(format(text)).toBe(`model {
  for (i in 1:2)
    for (j in 1:2) {
      x = 1;
    }
  if (a
      && b) {
    y = 2;
  }
}
`);
  });

  it('leaves text with an unclosed string or comment alone', () => {
    expect(format('model{print("a);}')).toBe('model{print("a);}');
    expect(format('model{ /* }')).toBe('model{ /* }');
    expect(format('')).toBe('');
  });

  it('changes nothing the second time, and never a token', () => {
    const tokens = (text: string): string[] => lex(text, 0).tokens.map((token) => token.text);
    for (const { name, text } of goodPrograms) {
      const once = format(text);
      expect(tokens(once), name).toEqual(tokens(text));
      expect(format(once), name).toBe(once);
    }
  });

  it('gives one text whatever the blanks between tokens', () => {
    const program = fc.constantFrom(...goodPrograms.filter(({ text }) => !/\/[/*]/.test(text)));
    const blanks = fc.array(fc.constantFrom(' ', '  ', '\t'), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(program, blanks, ({ text }, list) => {
        let i = 0;
        const loosened = text.replaceAll(/ +(?=\S)/g, () => list[i++ % list.length]);
        fc.pre(!/"/.test(text));
        expect(format(loosened)).toBe(format(text));
      }),
      { seed: 9, numRuns: 60 },
    );
  });
});
