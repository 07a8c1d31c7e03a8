import { describe, expect, it } from 'vitest';
import { readSettingsText, readStored } from '../../../src/service/runs/settings-text.ts';

function read(text: string | null) {
  const result = readSettingsText(text);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

describe('the settings of a workflow', () => {
  it('take defaults, and a seed that is drawn and recorded', () => {
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

  it('name what nobody knows, and leave to other runners what is theirs', () => {
    const { unknown, experimentName, runOn } = read(`
ergodic: { experiment_name: mine }
serverless: { engine: fargate }
sampling: { sync: off, julia_args: [-t, 4], iteration_count: 50, colour: red }
`);
    expect(unknown).toEqual(['colour']);
    expect(experimentName).toBe('mine');
    expect(runOn).toBe('fargate');
  });

  it('name the key at fault', () => {
    expect(readSettingsText('sampling: {num_chains: many}')).toMatchObject({
      ok: false,
      error: expect.stringContaining('sampling.num_chains') as string,
    });
    expect(readSettingsText('sampling: [1')).toMatchObject({
      ok: false,
      error: expect.stringContaining('no YAML') as string,
    });
    expect(readSettingsText('- 1')).toMatchObject({ ok: false });
  });
});
