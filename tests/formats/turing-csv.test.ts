/** Turing's table of draws, as Julia's CSV package writes an MCMCChains object. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImportError } from '../../src/formats/imported-draws.ts';
import { createTuringCsvReader, isTuringHeader } from '../../src/formats/turing-csv.ts';

const read = (text: string, size = text.length || 1) => {
  const reader = createTuringCsvReader();
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
  return reader.end();
};

/** Two chains after 500 adaptation steps, as written by `CSV.write("chain.csv", chain)`. */
const nuts = `iteration,chain,σ²,"x[1, 2]",β[1],lp,n_steps,is_accept,acceptance_rate,log_density,hamiltonian_energy,hamiltonian_energy_error,max_hamiltonian_energy_error,tree_depth,numerical_error,step_size,nom_step_size
501,1,1.25,-0.5,3.0,-10.5,7.0,1.0,0.93,-10.5,11.2,0.01,-0.2,3.0,0.0,0.41,0.41
502,1,1.5,-0.25,2.5,-10.25,3.0,1.0,0.87,-10.25,11.4,0.02,0.3,2.0,1.0,0.41,0.41
501,2,0.75,-1.5,1e-5,-11.5,7.0,1.0,0.99,-11.5,12.2,0.01,-0.2,3.0,0.0,0.38,0.38
502,2,0.5,NaN,2.0,-11.25,3.0,1.0,0.67,-11.25,12.4,0.02,0.3,2.0,0.0,0.38,0.38
`;

describe('a table of NUTS', () => {
  it('has parameters by name, and internals as sampler columns', () => {
    const { columns, chains } = read(nuts);
    expect(columns.map((column) => column.name)).toEqual([
      'σ²',
      'x[1,2]',
      'β[1]',
      'lp__',
      'n_leapfrog__',
      'is_accept__',
      'accept_stat__',
      'log_density__',
      'energy__',
      'hamiltonian_energy_error__',
      'max_hamiltonian_energy_error__',
      'treedepth__',
      'divergent__',
      'stepsize__',
      'nom_step_size__',
    ]);
    expect(columns.filter((column) => column.sampler !== true)).toHaveLength(3);
    expect(columns[12]).toEqual({ name: 'divergent__', sampler: true, type: 'bool' });
    expect(chains.map((chain) => chain.name)).toEqual(['1', '2']);
    expect([...chains[0].draws[0]]).toEqual([1.25, 1.5]);
    expect([...chains[1].draws[1]]).toEqual([-1.5, NaN]);
    expect([...chains[0].draws[12]]).toEqual([0, 1]);
    expect(chains.map((chain) => chain.stepSize)).toEqual([0.41, 0.38]);
  });

  it('may have alternating chains and rows in any order, however the text is split', () => {
    const [header, a1, a2, b1, b2] = nuts.split('\n');
    const mixed = `${[header, b2, a1, b1, a2].join('\r\n')}\r\n`;
    const whole = read(nuts);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (size) => {
        const { chains } = read(mixed, size);
        const byName = [...chains].sort((a, b) => a.name.localeCompare(b.name));
        expect(byName).toEqual(whole.chains);
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  it('is sorted by iteration within chains, with flags and the last step size', () => {
    const { chains, columns, settings, notes } = read(
      [
        'iteration,chain,m,numerical_error,step_size,logprior,loglikelihood,logjoint',
        '3,a,30,,0.3,1,2,3',
        '1,a,10,1,0.1,1,2,3',
        '  ',
        '2,a,20,missing,0.2,1,2,3',
        '',
      ].join('\n'),
    );
    expect(columns).toEqual([
      { name: 'm' },
      { name: 'divergent__', sampler: true, type: 'bool' },
      ...['stepsize__', 'logprior__', 'loglikelihood__', 'logjoint__'].map((name) => ({
        name,
        sampler: true,
      })),
    ]);
    expect(chains).toEqual([
      {
        name: 'a',
        draws: [
          [10, 20, 30],
          [1, 0, 0],
          [0.1, 0.2, 0.3],
          [1, 1, 1],
          [2, 2, 2],
          [3, 3, 3],
        ].map((values) => Float64Array.from(values)),
        warmup: columns.map(() => new Float64Array(0)),
        stepSize: 0.3,
        warmupSeconds: null,
        samplingSeconds: null,
      },
    ]);
    expect([settings, notes]).toEqual([{}, []]);
  });

  it('may have blanks around names and cells, but loses them in indices', () => {
    const { columns, chains } = read(
      ' iteration , chain , a b[1,  2][ 3 ] ,"\'=c"\n 1 , 1 , 0.5 ,nothing\n2, 1 , ,1\n',
    );
    expect(columns.map((column) => column.name)).toEqual(['a b[1,2][3]', '=c']);
    expect(chains.map(({ name, draws }) => [name, ...draws.map((one) => [...one])])).toEqual([
      ['1', [0.5, NaN], [NaN, 1]],
    ]);
  });
});

describe('other samplers', () => {
  it('leave cells empty or missing, and most internals out', () => {
    const { columns, chains } = read(
      'chain,iteration,m,lp,numerical_error\n1,1,0.5,-1.5,missing\n1,2,,-2,\n',
    );
    expect(columns.map((column) => column.name)).toEqual(['m', 'lp__', 'divergent__']);
    expect(chains[0].draws.map((column) => [...column])).toEqual([
      [0.5, NaN],
      [-1.5, -2],
      [0, 0],
    ]);
    expect(chains[0].stepSize).toBeNull();
  });

  it.each(['2,1', '2,1,1', '2,1,1.5'])('may end inside a line, %s, which is noted', (cut) => {
    const { chains, notes } = read(`iteration,chain,m\n1,1,2\n${cut}`);
    expect(chains[0].draws[0]).toEqual(Float64Array.of(2));
    expect(notes).toEqual([
      'The last line has no line end, so it may be incomplete, and was left out.',
    ]);
  });

  it('may have a thousand chains', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `1,${i},2\n2,${i},3\n`);
    expect(read(`iteration,chain,m\n${rows.join('')}`).chains).toHaveLength(1000);
  });

  it('have no step size where the last one is missing', () =>
    expect(
      read('iteration,chain,m,step_size\n1,1,2,0.5\n2,1,2,\n').chains[0]?.stepSize,
    ).toBeNull());
});

it.each([
  ['iteration,chain,a', true],
  ['"iteration","chain","a"', true],
  [' chain , iteration ,a', true],
  ['iteration,a', false],
  ['chain,a', false],
  ['lp__,accept_stat__,a', false],
])('recognises the header %s: %s', (line, expected) => expect(isTuringHeader(line)).toBe(expected));

it.each([
  [
    'a duplicate iteration',
    'iteration,chain,m\n2,1,2\n1,1,2\n2,1,3\n',
    /^Chain 1 has iteration 2 twice\. Number the chains in the column "chain"\.$/,
  ],
  [
    'a duplicate iteration in consecutive rows',
    'iteration,chain,m\n1,1,2\n1,1,3\n',
    /^Chain 1 has iteration 1 twice/,
  ],
  ['no iteration column', 'chain,m\n1,2\n', /must name the columns/],
  [
    'no chain column',
    '\niteration,m\n1,2\n',
    /^line 2: the header row must name the columns "iteration" and "chain"$/,
  ],
  ['an infinite iteration', 'iteration,chain,m\ninf,1,2\n2,1,3\n', /"inf" is not an iteration/],
  [
    'a long word',
    `iteration,chain,m\n1,1,${'x'.repeat(50)}\n2,1,3\n`,
    new RegExp(`^line 2: "${'x'.repeat(40)}" is not a number$`),
  ],
  [
    'a long iteration',
    `iteration,chain,m\n${'x'.repeat(50)},1,1\n2,1,3\n`,
    new RegExp(`^line 2: "${'x'.repeat(40)}" is not an iteration$`),
  ],
  ['a header without rows', 'iteration,chain,m\n', /^line 1: there are no draws$/],
  ['no parameter column', 'iteration,chain\n1,1\n', /no parameter column/],
  ['a duplicate column', 'iteration,chain,m,m\n1,1,2,3\n', /"m" occurs twice/],
  ['a column without a name', 'iteration,chain,\n1,1,2\n', /column 3 has no name/],
  ['a word', 'iteration,chain,m\n1,1,high\n2,1,3\n', /line 2: "high" is not a number/],
  ['a short row', 'iteration,chain,m\n1,1\n2,1,3\n', /line 2: has 2 cells/],
  ['an invalid iteration', 'iteration,chain,m\nx,1,2\n2,1,3\n', /"x" is not an iteration/],
  ['an empty file', '', /no draws/],
  [
    'a new chain in each row',
    `iteration,chain,m\n${Array.from({ length: 1100 }, (_, i) => `1,${i},2`).join('\n')}\n`,
    /more than 1000 chains/,
  ],
])('refuses %s', (_, text, message) => {
  expect(() => read(text)).toThrow(ImportError);
  expect(() => read(text)).toThrow(message);
});
