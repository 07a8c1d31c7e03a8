/** What the driver of JAGS models is given: settings, data and starting values as small texts. */
import { describe, expect, it } from 'vitest';
import { readJagsSettings } from '../../../src/formats/jags-settings.ts';
import { jagsFiles } from '../../../src/service/language-runtimes/jags-files.ts';

function filesOf(values: Record<string, unknown>, given: Record<string, unknown> = {}) {
  const settings = readJagsSettings({ num_chains: 2, seed: 7, ...given }, 3);
  if (!settings.ok) throw new Error(settings.error);
  return jagsFiles('model.bug', values, settings.value);
}

function filled(values: Record<string, unknown>, given: Record<string, unknown> = {}) {
  const made = filesOf(values, given);
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

describe('the data of a JAGS model', () => {
  it('are written with the first index varying fastest, and NA for missing values', () => {
    const { files, notes } = filled({
      N: 2,
      y: [1.5, null, Number.NaN, 'NA', -1e-300],
      X: [
        [11, 12, 13],
        [21, 22, 23],
      ],
      A: [[[1, 2]], [[3, 4]], [[5, 6]]],
      isOn: true,
    });
    expect(files.get('data.txt')).toBe(
      'N\n2\ny\n1.5 NA NA NA -1e-300\nX\t2,3\n11 21 12 22 13 23\nA\t3,1,2\n1 3 5 2 4 6\nisOn\n1\n',
    );
    expect(notes).toEqual([]);
  });

  it('leave out what JAGS cannot read, and report it', () => {
    const { files, notes } = filled({
      site: ['a', 'b'],
      ragged: [[1], [1, 2]],
      mixed: [1, [2]],
      deep: { a: 1 },
      'a b': 1,
      'a.b': 1,
    });
    expect(files.get('data.txt')).toBe('a.b\n1\n');
    expect(notes).toEqual([
      'Left out of the data, since JAGS reads numbers and full arrays only: site, ragged, mixed, deep, a b.',
    ]);
  });
});

describe('the settings of a JAGS model', () => {
  it('keep multiples of the thinning, and accept names with commas or as a list', () => {
    const { files } = filled(
      {},
      { num_samples: 25, thin: 10, monitor: 'mu, tau', modules: ['glm'] },
    );
    const lines = files.get('settings.txt')?.split('\n') ?? [];
    expect(lines).toEqual(
      expect.arrayContaining([
        'model\tmodel.bug',
        'samples\t20',
        'monitor\tmu\ttau',
        'modules\tglm',
      ]),
    );
    expect(lines).toEqual(
      expect.arrayContaining(['chains\t2', 'seed\t7', 'parallel\t3', 'adapt\t1000']),
    );
  });

  it('give each chain its initial values, and refuse invalid ones', () => {
    const { files } = filled({}, { inits: [{ mu: 1 }, { mu: [2, 3] }] });
    expect(files.get('inits-1.txt')).toBe('mu\n1\n');
    expect(files.get('inits-2.txt')).toBe('mu\n2 3\n');
    expect(filled({}, { inits: { mu: 1 } }).files.get('inits-2.txt')).toBe('mu\n1\n');
    expect(filesOf({}, { inits: [{ mu: 1 }] })).toMatchObject({ ok: false });
    expect(filesOf({}, { inits: { mu: 'x' } })).toMatchObject({
      error: 'inits: mu is not a number or an array of numbers.',
    });
  });
});
