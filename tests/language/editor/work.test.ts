/** What a check costs, counted in reads of tokens and names, not time: it grows linearly with the program. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StanWorkspace } from '../../../src/dashboard/editor/stan-workspace.ts';
import { checkProgram } from '../../../src/language/check.ts';
import { Cursor } from '../../../src/language/syntax/cursor.ts';
import { CheckContext } from '../../../src/language/types/scope.ts';
import { longProgram } from '../../support/long-program.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function workOf(act: () => void): number {
  const looks = vi.spyOn(Cursor.prototype, 'peek');
  const finds = vi.spyOn(CheckContext.prototype, 'find');
  act();
  const work = looks.mock.calls.length + finds.mock.calls.length;
  vi.restoreAllMocks();
  return work;
}

describe('the work of the language service', () => {
  it('grows with the lines of a program, not with their square', () => {
    expect(checkProgram(longProgram(5000)).diagnostics).toEqual([]);
    const short = workOf(() => checkProgram(longProgram(520)));
    const long = workOf(() => checkProgram(longProgram(5020)));
    expect(short).toBeGreaterThan(1000);
    expect(long / short).toBeLessThan(10.5);
  });

  it('is a single check for all questions about the same text', () => {
    const text = longProgram(200);
    const workspace = new StanWorkspace();
    const path = 'main.stan';
    workspace.setFiles({ changed: { [path]: text }, removed: [], entrance: path });
    const check = workOf(() => workspace.problems());
    const offset = text.indexOf('normal(') + 'normal('.length;
    const more = workOf(() => {
      workspace.answer('hover', { path, offset });
      workspace.answer('complete', { path, offset });
      workspace.answer('signature', { path, offset });
      workspace.answer('occurrences', { path, offset });
      workspace.answer('fixes', { path, start: offset, end: offset });
    });
    expect(check).toBeGreaterThan(1000);
    // Only the arguments of the current call are read again.
    expect(more).toBeLessThan(check / 20);
  });
});
