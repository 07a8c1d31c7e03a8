/** What readers of finished runs share. */
import { expect, it } from 'vitest';
import {
  checkSize,
  defaultImportLimits,
  ImportError,
  samplerColumn,
  storedImportLimits,
} from '../../src/formats/imported-draws.ts';

it.each([
  ['divergent__', 'bool'],
  ['treedepth__', 'int'],
  ['n_leapfrog__', 'int'],
])('the sampler column %s has the type %s', (name, type) =>
  expect(samplerColumn(name)).toEqual({ name, sampler: true, type }),
);

it('other sampler columns have no type', () =>
  expect(samplerColumn('energy__')).toEqual({ name: 'energy__', sampler: true }));

it('imports have limits, which are higher if numbers are stored on disk', () => {
  expect(defaultImportLimits).toEqual({ columns: 20_000, values: 33_554_432 });
  expect(storedImportLimits).toEqual({ columns: 20_000, values: 4_294_967_296 });
  expect(() => checkSize(20_000, 2 ** 32, storedImportLimits)).not.toThrow();
  expect(() => checkSize(2, 11, { columns: 2, values: 10 })).toThrow(
    expect.objectContaining({
      name: 'ImportError',
      message:
        'There are 11 values; at most 10 can be imported. Thin the draws or leave out variables.',
    }),
  );
  expect(() => checkSize(3, 1, { columns: 2, values: 10 })).toThrow(
    new ImportError(
      'There are 3 columns; at most 2 can be imported. Leave out variables that are not needed.',
    ),
  );
});
