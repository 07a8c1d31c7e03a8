/**
 * Every folder under samples/ is a case: main.stan, the files it includes, and the diagnostics as a person reads them.
 * `UPDATE_EXPECTED=1` rewrites the expectations.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../src/language/check.ts';
import { hasErrors, render } from '../../src/language/diagnostics.ts';

const root = join(import.meta.dirname, 'samples');

function check(folder: string) {
  const read = (name: string): string | null => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  };
  const text = read('main.stan') ?? '';
  return checkProgram({ name: 'main.stan', text }, { include: read });
}

function expectDiagnostics(folder: string, text: string): void {
  const path = join(folder, 'expected.diagnostics');
  if (process.env.UPDATE_EXPECTED === '1') writeFileSync(path, text);
  expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : 'no expected.diagnostics');
}

for (const kind of ['good', 'bad'] as const) {
  describe(`${kind} programs`, () => {
    for (const name of readdirSync(join(root, kind)).sort()) {
      it(name.replaceAll('_', ' '), () => {
        const folder = join(root, kind, name);
        const result = check(folder);
        expect(hasErrors(result.diagnostics)).toBe(kind === 'bad');
        const rendered = result.diagnostics.map((d) => `${render(d, result.files)}\n`).join('\n');
        expectDiagnostics(folder, rendered);
      });
    }
  });
}

describe('the messages', () => {
  it('end in a full stop or a question mark, and hold no exclamation mark', () => {
    for (const name of readdirSync(join(root, 'bad'))) {
      for (const { message, code } of check(join(root, 'bad', name)).diagnostics) {
        expect(message, code).toMatch(/[.?]$/);
        expect(message.replaceAll(/`[^`]*`/g, ''), code).not.toContain('!');
      }
    }
  });
});
