/** Random programs that parse, with comments, blank lines and odd spacing wherever these are allowed. */
import fc from 'fast-check';

const names = ['x', 'y1', 'theta', 'a_rather_long_name_of_a_variable'];
const functions = ['f', 'normal_lpdf', 'a_function_with_a_long_name'];
const infix = '+ - * / % %/% \\ ^ .* ./ .^ || && == != < <= > >='.split(' ');
const assignments = '= += -= *= /= .*= ./='.split(' ');

const list = (items: readonly string[]): string => items.join(' , ');

interface Pieces {
  readonly expression: string;
  readonly statement: string;
}

const { expression, statement } = fc.letrec<Pieces>((tie) => {
  const inner = tie('expression') as fc.Arbitrary<string>;
  const some = fc.array(inner, { minLength: 1, maxLength: 6 }).map(list);
  const name = fc.constantFrom(...names);
  const leaf = fc.oneof(name, fc.constantFrom('1', '2.5', '.5', '1e-3', '3i', 'target ( )'));
  const index = fc.oneof(
    inner,
    fc.constantFrom(':', ''),
    inner.map((from) => `${from} :`),
    fc.tuple(inner, inner).map(([from, to]) => `${from} : ${to}`),
  );
  const body = tie('statement') as fc.Arbitrary<string>;
  const braces = fc.array(body, { maxLength: 3 }).map((all) => `{ ${all.join(' ')} }`);
  const declared = fc.constantFrom(
    'int',
    'real',
    'vector [ 3 ]',
    'array [ 2 , 3 ] matrix [ 2 , 2 ]',
    'real < lower = 0 , upper = 1 >',
    'tuple ( real , int )',
    'cov_matrix [ 3 ]',
  );
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.tuple(inner, fc.constantFrom(...infix), inner).map(([l, op, r]) => `${l} ${op} ${r}`),
      inner.map((text) => `( ${text} )`),
      fc.tuple(fc.constantFrom('-', '!', '+'), leaf).map(([op, text]) => `${op} ${text}`),
      name.map((text) => `${text} '`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `( ${a} ) ? ${b} : ${c}`),
      fc.tuple(fc.constantFrom(...functions), some).map(([f, args]) => `${f} ( ${args} )`),
      fc.tuple(inner, some).map(([y, args]) => `normal_lpdf ( ${y} | ${args} )`),
      some.map((args) => `{ ${args} }`),
      some.map((args) => `[ ${args} ]`),
      fc.tuple(inner, inner).map(([a, b]) => `( ${a} , ${b} )`),
      fc
        .tuple(name, fc.array(index, { minLength: 1, maxLength: 3 }))
        .map(([base, all]) => `${base} [ ${list(all)} ]`),
      name.map((text) => `${text} .1`),
    ),
    statement: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc
        .tuple(name, fc.constantFrom(...assignments), inner)
        .map(([target, op, value]) => `${target} ${op} ${value} ;`),
      fc.tuple(name, some).map(([y, args]) => `${y} ~ normal ( ${args} ) ;`),
      fc.tuple(name, inner).map(([y, lower]) => `${y} ~ normal ( 0 , 1 ) T [ ${lower} , ] ;`),
      inner.map((value) => `target += ${value} ;`),
      fc.tuple(declared, name, inner).map(([type, x, value]) => `${type} ${x} = ${value} ;`),
      fc.tuple(declared, name, name).map(([type, x, y]) => `${type} ${x} , ${y} ;`),
      some.map((args) => `print ( "a string" , ${args} ) ;`),
      fc.constantFrom('break ;', 'continue ;', 'return ;', ';'),
      inner.map((value) => `return ${value} ;`),
      braces,
      braces.map((text) => `profile ( "p" ) ${text}`),
      fc.tuple(inner, body).map(([condition, then]) => `if ( ${condition} ) { ${then} }`),
      fc
        .tuple(inner, body, body)
        .map(([condition, then, other]) => `if ( ${condition} ) { ${then} } else ${other}`),
      fc.tuple(inner, body).map(([condition, then]) => `while ( ${condition} ) ${then}`),
      fc
        .tuple(inner, inner, body)
        .map(([from, to, loop]) => `for ( i in ( ${from} ) : ${to} ) ${loop}`),
      fc.tuple(name, body).map(([over, loop]) => `for ( x in ${over} ) ${loop}`),
    ),
  };
});

/** What may stand between two tokens. */
const gap = fc.oneof(
  { weight: 40, arbitrary: fc.constant(' ') },
  { weight: 8, arbitrary: fc.constantFrom('\n', '\n\n', '\n\n\n', '\t', '\r\n') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ' // line\n',
      ' /* block */ ',
      '\n  // alone\n',
      '/* two\n     lines */',
      '\n/** doc\n * of it\n */\n',
      '//\n',
    ),
  },
);

const plain = fc
  .tuple(fc.array(statement, { maxLength: 4 }), expression)
  .map(
    ([statements, value]) =>
      `functions { real f ( data array [ , ] real x , tuple ( int , vector ) y ) { return ${value} ; } } ` +
      `data { int N ; vector < lower = ${'0'} > [ N ] y ; } model { ${statements.join(' ')} }`,
  );

/** Without comments, and one blank between any two tokens. */
export const plainProgram: fc.Arbitrary<string> = plain;

/** The same with anything between tokens. */
export const spacedProgram: fc.Arbitrary<string> = fc
  .tuple(plain, fc.array(gap, { minLength: 60, maxLength: 60 }))
  .map(([text, gaps]) => {
    let i = 0;
    return text
      .split(/("[^"]*")/)
      .map((part) =>
        part.startsWith('"') ? part : part.replaceAll(' ', () => gaps[i++ % gaps.length]),
      )
      .join('');
  });
