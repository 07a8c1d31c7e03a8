/** Which kind of finished run a file contains. */
import { describe, expect, it } from 'vitest';
import { guessType } from '../../src/formats/guess-draws.ts';

const guess = (name: string, text: string) =>
  guessType({ name, bytes: new TextEncoder().encode(text) });

describe('guessing the type of a file', () => {
  it.each([
    ['chain_1.csv', '# method = sample (Default)\n# id = 1\nlp__,mu\n-1,2\n', 'stan csv'],
    ['x.txt', 'lp__,mu\n1,2\n', 'stan csv'],
    ['x.csv', 'chain,iteration,lp__,mu\n1,1,1,2\n', 'turing csv'],
    ['x.csv', '.chain,.iteration,.draw,lp__,mu\n1,1,1,1,2\n', 'draws csv'],
    ['x.csv', '\ufeffiteration,chain,mu\n1,1,2\n', 'turing csv'],
    ['x.nc', 'anything', 'arviz netcdf'],
    ['X.HDF5', 'anything', 'arviz netcdf'],
    ['x.cdf', 'anything', 'arviz netcdf'],
    ['x.nc4', 'anything', 'arviz netcdf'],
    ['x.h5', 'anything', 'arviz netcdf'],
    ['x.nc.csv', 'mu\n1\n', 'draws csv'],
    ['nc', 'mu\n1\n', 'draws csv'],
    ['x.csv', '# stan_version_major = 2\nmu\n1\n', 'stan csv'],
    ['x.csv', 'mu\n1\n#  Elapsed Time: 1 seconds (Warm-up)\n', 'stan csv'],
    ['x.csv', '# Diagonal elements of inverse mass matrix:\nmu\n1\n', 'stan csv'],
    ['x.csv', '# by hand\n\n  \nmu\n1\n', 'draws csv'],
    ['x.csv', '# method\nmu,Elapsed Time\n1,2\n', 'draws csv'],
    ['x.csv', ' mu , lp__ \n1,2\n', 'stan csv'],
    ['x.csv', 'c#1,lp__,-7.5\nc#1,lp__,-7\n', 'draws csv'],
    ['x.csv', 'chain,lp__,mu\n1,2,3\n', 'draws csv'],
    ['x.csv', 'lp__,iteration,mu\n1,2,3\n', 'draws csv'],
    ['x.csv', 'lp__,chain_2,my.iteration\n1,2,3\n', 'stan csv'],
    ['x.csv', '', 'draws csv'],
  ])('treats %s with %j as %s', (name, text, type) => expect(guess(name, text)).toBe(type));

  it.each([
    ['stan csv', 'after blank lines and comments', ' \r\n\n# x\n#\nlp__,mu\n'],
    ['stan csv', 'with a header that ends with a hash', 'lp__,mu#\n1,2\n'],
    ['stan csv', 'after two byte order marks', '\ufeff\ufeff# x\nlp__,mu\n'],
    ['draws csv', 'with a byte order mark within a name', 'lp\ufeff__,mu\n1,2\n'],
  ])('recognises %s %s', (type, _, text) => expect(guess('x.csv', text)).toBe(type));

  it('recognises ArviZ by its first bytes, whatever the file name', () => {
    const marks = [
      Uint8Array.of(0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10),
      Uint8Array.of(67, 68, 70, 1),
    ];
    for (const bytes of marks) expect(guessType({ name: 'x.csv', bytes })).toBe('arviz netcdf');
  });

  it('refuses bytes that no text has', () =>
    expect(() => guess('x.csv', 'a,b\n\u0000')).toThrow(
      'The format is not recognised: the file looks like neither CSV nor netCDF 4.',
    ));
});
