/** Programs while they are typed: every request gets an answer and never an exception. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { complete } from '../../../src/language/editor/complete.ts';
import { hover } from '../../../src/language/editor/hover.ts';
import { rename, renamePlace } from '../../../src/language/editor/rename.ts';
import { signatureHelp } from '../../../src/language/editor/signature-help.ts';
import { fixesAt, fixRemoved } from '../../../src/language/fixes/find-fixes.ts';
import { goodPrograms } from '../sample-programs.ts';

describe('the language service on a program cut off anywhere', () => {
  it.each(goodPrograms.map(({ name, text }) => [name, text] as const))('%s', (_, text) => {
    let answers = 0;
    // A prime, so that all kinds of positions occur.
    for (let offset = 0; offset < text.length; offset += 37) {
      const result = checkProgram(text.slice(0, offset));
      const help = signatureHelp(result, offset);
      if (help !== null) expect(help.signatures[help.active]).toBeDefined();
      hover(result, offset);
      complete(result, offset);
      renamePlace(result, offset);
      rename(result, { offset, name: 'fresh' });
      fixesAt(result, { file: 0, start: Math.max(0, offset - 20), end: offset });
      fixRemoved(result);
      answers++;
    }
    expect(answers).toBe(Math.ceil(text.length / 37));
  });
});
