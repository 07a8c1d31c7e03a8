import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../../../src/dashboard/features/workflows/analysis.ts';
import { samplingText } from '../../../src/dashboard/features/workflows/sampling-text.ts';
import {
  readSettings,
  withSetting,
} from '../../../src/dashboard/features/workflows/settings-yaml.ts';
import { createFakeWorkflow } from '../../support/fake-objects.ts';

const text = `# ours
ergodic:
  experiment_name: schools
sampling:
  num_chains: 2 # two are enough
  colour: blue
`;

describe('settings as a form', () => {
  it('read known settings, and list those without effect', () => {
    const { texts, problems, unknown } = readSettings(text);
    expect(problems).toEqual([]);
    expect(texts).toMatchObject({ num_chains: '2', num_warmup: '', seed: '' });
    expect(unknown).toEqual(['colour']);
  });

  it('keep comments and other keys when one setting changes, and drop defaults', () => {
    const changed = withSetting(text, { key: 'num_samples', value: '500' });
    expect(changed).toContain('# two are enough');
    expect(changed).toContain('experiment_name: schools');
    expect(readSettings(changed).texts).toMatchObject({ num_samples: '500', num_chains: '2' });
    const back = withSetting(changed, { key: 'num_samples', value: '1000' });
    expect(back).not.toContain('num_samples');
  });

  it('leave nothing behind when all settings are defaults again', () => {
    expect(withSetting('', { key: 'num_chains', value: '4' })).toBe('');
    const one = withSetting('', { key: 'seed', value: '7' });
    expect(readSettings(one).texts).toMatchObject({ seed: '7' });
    expect(withSetting(one, { key: 'seed', value: '' })).toBe('');
  });

  it('have the settings of JAGS for a JAGS model', () => {
    const jags = 'sampling:\n  num_adapt: 500\n  monitor: mu, tau\n';
    const { texts, problems, unknown } = readSettings(jags, 'jags');
    expect({ problems, unknown }).toEqual({ problems: [], unknown: [] });
    expect(texts).toMatchObject({
      num_adapt: '500',
      monitor: 'mu, tau',
      modules: '',
      sampler: 'jags',
    });
    expect(readSettings(jags).unknown).toEqual(['num_adapt', 'monitor']);
    const change = (key: string, value: string) => withSetting(jags, { key, value, env: 'jags' });
    expect(change('monitor', 'mu')).toContain('monitor: mu\n');
    expect(change('num_adapt', '1000')).not.toContain('num_adapt');
    expect(readSettings('sampling:\n  num_adapt: few\n', 'jags').problems).toMatchObject([
      { line: 2, message: expect.stringContaining('num_adapt') },
    ]);
  });

  it('report errors with their line', () => {
    expect(readSettings('sampling:\n  num_chains: many\n').problems).toMatchObject([
      { line: 2, message: expect.stringContaining('num_chains') },
    ]);
    expect(readSettings('a: [1').problems[0].message).not.toBe('');
    expect(readSettings('- 1').problems[0].message).toContain('keys');
    expect(readSettings('').problems).toEqual([]);
  });

  it('never throw, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (typed) => {
        const { problems, texts } = readSettings(typed);
        expect(texts !== null || problems.length > 0).toBe(true);
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});

describe('the state of an analysis', () => {
  const of = (analyzer_result: string | null) =>
    analysisOf(createFakeWorkflow({ analyzer_result }));
  it('is read only from what the server stores', () => {
    expect(of(null).state).toBe('none');
    expect(of('a word').state).toBe('none');
    expect(of('{"status":"waiting"}').state).toBe('none');
    expect(of('{"status":"running"}').state).toBe('running');
    expect(
      of(
        '{"status":"error","return_code":3,"errlines":["no"],"finished_at":"2026-01-01T00:00:00Z"}',
      ),
    ).toEqual({
      state: 'error',
      returnCode: 3,
      errlines: ['no'],
      finishedAt: '2026-01-01T00:00:00Z',
    });
  });
});

describe('a summary of settings', () => {
  it('is read from block and flow YAML alike', () => {
    const words = /^2 chains × \(500 \+ 1\s000\)$/;
    expect(samplingText('sampling:\n  num_chains: 2 # two\n  num_warmup: 500\n')).toMatch(words);
    expect(samplingText('sampling: {num_chains: 2, num_warmup: 500}')).toMatch(words);
    expect(samplingText('sampling: {"num_chains":2,"num_warmup":500}')).toMatch(words);
    expect(samplingText('sampling: {my_num_chains: 9, num_chains: 1}')).toMatch(/^1 chain ×/);
    expect(samplingText('sampling: {num_chains: 16, warmup_chains: 4, num_warmup: 500}')).toMatch(
      /^16 chains × 1\s000, 4 warmups × 500$/,
    );
    expect(samplingText('sampling: {num_chains: 2, warmup_chains: 4, num_warmup: 500}')).toMatch(
      words,
    );
  });
});
