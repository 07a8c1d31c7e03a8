import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSettingsYaml } from '../../../src/service/content/settings-yaml.ts';

afterEach(() => vi.restoreAllMocks());

describe('the YAML of settings', () => {
  it.each([
    '? {my: secret}\n: 1',
    '? [secret]\n: 2',
    '!secret x',
    '%SECRET 1.0\n---\na: 1',
    '"a\\q secret"',
    '!!timestamp secret',
    '&a [*a, secret]',
    '!!set {secret}',
  ])('prints nothing to the console for %j: the error goes to the caller only', (text) => {
    const printed = [
      vi.spyOn(process, 'emitWarning'),
      ...(['log', 'warn', 'error', 'info', 'debug'] as const).map((name) =>
        vi.spyOn(console, name),
      ),
    ];
    readSettingsYaml(text);
    for (const print of printed) expect(print).not.toHaveBeenCalled();
  });
});
