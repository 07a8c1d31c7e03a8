import { describe, expect, it } from 'vitest';
import {
  ChainEnd,
  ChainInterrupt,
  explainAllocation,
  failureOf,
} from '../../src/engine/chain-end.ts';
import { LoopBudgetError } from '../../src/engine/compile-model.ts';
import { MemoryBudgetError } from '../../src/math/autodiff/tape.ts';
import { DomainError } from '../../src/math/errors.ts';

const tooLarge = (message: string) =>
  `The program asks for more memory than is available: ${message}.`;

describe('what ends a chain', () => {
  it.each([
    [new ChainEnd('no-start', 'No point.'), 'no-start', 'No point.'],
    [new MemoryBudgetError('more than 1 MiB'), 'budget-exceeded', 'more than 1 MiB'],
    [new LoopBudgetError('too many steps'), 'budget-exceeded', 'too many steps'],
    [
      new RangeError('Invalid typed array length: 1e12'),
      'budget-exceeded',
      tooLarge('Invalid typed array length: 1e12'),
    ],
    [new RangeError('Invalid Array Length'), 'budget-exceeded', tooLarge('Invalid Array Length')],
    [
      new RangeError('Array buffer allocation failed'),
      'budget-exceeded',
      tooLarge('Array buffer allocation failed'),
    ],
    [
      new Error('Array buffer allocation failed'),
      'program-failed',
      'Array buffer allocation failed',
    ],
    [new RangeError('precision out of range'), 'program-failed', 'precision out of range'],
    [
      new RangeError('Maximum call stack size exceeded'),
      'program-failed',
      'A function of the program calls itself too deeply.',
    ],
    [new Error('no call stack'), 'program-failed', 'no call stack'],
    [new DomainError('rate is 0'), 'program-failed', 'The program stopped: rate is 0'],
    [{ name: 'LoopBudgetError' }, 'program-failed', '[object Object]'],
    ['a text', 'program-failed', 'a text'],
  ])('%s', (thrown, reason, message) => {
    expect(failureOf(thrown, 3)).toEqual({ chain: 3, reason, message });
  });

  it('is explained as a lack of memory only for a failed allocation', () => {
    expect(explainAllocation(new RangeError('Invalid array length'))).toBe(
      tooLarge('Invalid array length'),
    );
    expect(explainAllocation(new Error('Invalid array length'))).toBeNull();
  });

  it('has a name that appears in stack traces', () => {
    expect(String(new ChainEnd('no-start', 'No point.'))).toBe('ChainEnd: No point.');
    expect(String(new ChainInterrupt('now'))).toBe('ChainInterrupt: now');
  });
});
