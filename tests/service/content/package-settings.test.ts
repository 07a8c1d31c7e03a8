import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withPackageSections } from '../../../src/service/content/package-settings.ts';

const defaults = {
  sampling: { sync: false, julia_args: [], mcmc_data: { directory: 'mcmcdata' } },
  serverless: { engine: 'local' },
  analysis: { sync: false, output_dir: 'analyzer_output' },
};

describe('the settings of a package', () => {
  it('gain the sections that clients read, and keep the settings and comments of the user', () => {
    const text = [
      '# mine',
      'sampling:',
      '  num_chains: 3 # few',
      '  sync: ergodic',
      '  mcmc_data: {keep: true}',
      'analysis: {output_dir: here}',
      '',
    ].join('\n');
    const whole = withPackageSections(text);
    expect(parse(whole)).toEqual({
      sampling: {
        num_chains: 3,
        sync: 'ergodic',
        mcmc_data: { keep: true, directory: 'mcmcdata' },
        julia_args: [],
      },
      serverless: { engine: 'local' },
      analysis: { output_dir: 'here', sync: false },
    });
    expect(whole).toMatch(/^# mine\n/);
    expect(whole).toContain('num_chains: 3 # few');
  });

  it('gain these sections in whatever form they are written', () => {
    for (const text of ['{}', 'sampling:', 'sampling: null\nserverless: ~\n', '--- {}\n'])
      expect([text, parse(withPackageSections(text))]).toEqual([text, defaults]);
    expect(parse(withPackageSections('sampling: {num_chains: 1}'))).toEqual({
      ...defaults,
      sampling: { num_chains: 1, ...defaults.sampling },
    });
  });

  it('stay unchanged if they are complete or cannot be read', () => {
    const complete = withPackageSections('{}');
    expect(withPackageSections(complete)).toBe(complete);
    for (const text of ['a: [', '- 1\n- 2\n', 'just text', 'sampling: {a: 1, a: 2}'])
      expect(withPackageSections(text)).toBe(text);
    expect(parse(withPackageSections('sampling: many\n'))).toMatchObject({ sampling: 'many' });
  });
});
