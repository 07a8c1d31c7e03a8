import { describe, expect, it } from 'vitest';
import { readSettingsText, readStored } from '../../../src/service/content/settings-text.ts';

function read(text: string | null) {
  const result = readSettingsText(text);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

describe('the settings of a workflow', () => {
  it('have defaults, and a random seed that is recorded', () => {
    const { stored } = read(null);
    expect(stored).toMatchObject({
      num_chains: 4,
      num_warmup: 1000,
      num_samples: 1000,
      adapt_delta: 0.8,
    });
    expect(stored.seed).toEqual(expect.any(Number));
    expect(readStored(stored).seed).toBe(stored.seed);
  });

  it('report unknown keys, and leave keys of other runners to them', () => {
    const { unknown, experimentName, runOn } = read(`
ergodic: { experiment_name: mine }
serverless: { engine: fargate }
sampling: { sync: off, julia_args: [-t, 4], iteration_count: 50, colour: red }
`);
    expect(unknown).toEqual(['colour']);
    expect(experimentName).toBe('mine');
    expect(runOn).toBe('fargate');
  });

  it('name the invalid key', () => {
    expect(readSettingsText('sampling: {num_chains: many}')).toMatchObject({
      ok: false,
      error: expect.stringContaining('sampling.num_chains') as string,
    });
    expect(readSettingsText('sampling: [1')).toMatchObject({
      ok: false,
      error: expect.stringContaining('not valid YAML') as string,
    });
    expect(readSettingsText('- 1')).toMatchObject({ ok: false });
  });
});

describe('hostile settings', () => {
  const problemOf = (text: string) => {
    const result = readSettingsText(text);
    return result.ok ? 'none' : result.error;
  };

  it.each([
    ['more bytes than allowed', `# ${'x'.repeat(65_536)}`, /settings_bytes/],
    [
      '9 000 keys',
      Array.from({ length: 9000 }, (_, i) => `${i}:`).join('\n'),
      /settings_values allows/,
    ],
    ['empty lists', `[${'[],'.repeat(20_000)}]`, /settings_values allows/],
    ['nested brackets', '['.repeat(40), /nested too deeply/],
    ['nested dashes', `${'- '.repeat(40)}1`, /nested too deeply/],
    ['nested question marks', `${'? '.repeat(40)}1`, /nested too deeply/],
    [
      'nested mappings',
      Array.from({ length: 40 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
      /nested too deeply/,
    ],
    ['anchors', Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} 1`).join('\n'), /anchors/],
    [
      'merges',
      `%YAML 1.1\n---\nb: &b {a: 1}\n${Array.from({ length: 30 }, (_, i) => `m${i}: {<<: *b}`).join('\n')}`,
      /merges/,
    ],
    [
      'aliases of aliases',
      Array.from(
        { length: 12 },
        (_, i) => `a${i}: &a${i} [${`${i === 0 ? 1 : `*a${i - 1}`},`.repeat(9)}]`,
      ).join('\n'),
      /alias/,
    ],
  ])('with %s are refused before or while they are read', (_what, text, problem) => {
    expect(problemOf(text)).toMatch(problem);
  });

  it('name a key that occurs twice', () => {
    expect(problemOf('sampling: {seed: 1, seed: 2}')).toMatch(/"?seed"? occurs twice/);
    expect(problemOf('sampling: {inits: {a: 1, b: {a: 1}}}')).toBe('none');
  });

  it('with as many values as initial values need are read', () => {
    const values = Array.from({ length: 4000 }, (_, i) => i / 8).join(', ');
    const { settings } = read(`sampling: {inits: {theta: [${values}]}}`);
    expect((settings.inits as { theta: number[] }).theta).toHaveLength(4000);
  });
});
