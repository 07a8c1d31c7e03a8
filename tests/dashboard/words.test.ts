import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listCsv } from '../../src/dashboard/features/lists/list-csv.ts';
import { matchesWords, piecesOf } from '../../src/dashboard/features/palette/match-words.ts';
import { judgeNumbers } from '../../src/dashboard/features/status/judge-numbers.ts';
import { samplingText } from '../../src/dashboard/features/workflows/sampling-text.ts';
import { formatDuration } from '../../src/dashboard/ui/duration.ts';
import { initialsOf } from '../../src/dashboard/ui/person-mark.tsx';
import { relativeText } from '../../src/dashboard/ui/relative-time.tsx';
import { createFakeExperiment } from '../support/fake-objects.ts';
import { createFakeVerdict } from '../support/fake-verdict.ts';

describe('lengths of time', () => {
  it('are given in the largest fitting unit', () => {
    expect([1.4, 48, 372, 7500, 273_600].map(formatDuration)).toEqual([
      '1.4 s',
      '48 s',
      '6 min 12 s',
      '2 h 5 min',
      '3 d 4 h',
    ]);
    expect(formatDuration(9.97)).toBe('10 s');
  });
});

describe('short texts', () => {
  it('give times relative to now', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    const words = (minutes: number) => relativeText(now - minutes * 60_000, now);
    expect([0, 0.5, 6, 190, 1500, 3000].map(words)).toEqual([
      'just now',
      '30 s ago',
      '6 min ago',
      '3 h ago',
      'yesterday',
      '2 days ago',
    ]);
  });

  it('are initials of a user name', () => {
    expect(['ak(@1)', 'bo lin(@2)', 'mei.chen(@3)', ''].map(initialsOf)).toEqual([
      'AK',
      'BL',
      'MC',
      '',
    ]);
  });

  it('describe the settings of a workflow', () => {
    expect(samplingText('')).toBe('4 chains × (1\u202f000 + 1\u202f000)');
    expect(samplingText('sampling:\n  num_chains: 1\n  iteration_count: 500 # few\n')).toBe(
      '1 chain × (1\u202f000 + 500)',
    );
  });
});

describe('matches in the palette', () => {
  it('are pieces that together make the label, with matches marked', () => {
    expect(piecesOf('Eight schools', ['eigh', 'school'])).toEqual([
      { text: 'Eigh', isMatch: true },
      { text: 't ', isMatch: false },
      { text: 'school', isMatch: true },
      { text: 's', isMatch: false },
    ]);
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ maxLength: 3 })), (label, words) => {
        const pieces = piecesOf(label, words);
        expect(pieces.map(({ text }) => text).join('')).toBe(label);
      }),
      { seed: 12 },
    );
  });

  it('match if every word occurs, in any order', () => {
    expect(matchesWords(['schools', 'eight'], 'Eight schools', '')).toBe(true);
    expect(matchesWords(['eight', 'nine'], 'Eight schools', '')).toBe(false);
  });
});

describe('judged numbers', () => {
  const verdict = (rhat: number, ess: number, divergences: number) =>
    createFakeExperiment({
      meta: {
        verdict: createFakeVerdict({
          state: 'warn',
          rhat_max: rhat,
          ess_bulk_min: ess,
          divergences,
        }),
      },
    });

  it('turn amber at the threshold and red beyond use', () => {
    expect(judgeNumbers(verdict(1.01, 400, 0)).rhatMax.tone).toBe('plain');
    expect(judgeNumbers(verdict(1.011, 399, 1))).toMatchObject({
      rhatMax: { tone: 'warn' },
      essMin: { value: 399, tone: 'warn' },
      divergences: { tone: 'warn' },
    });
    expect(judgeNumbers(verdict(1.051, 199, 40))).toMatchObject({
      rhatMax: { tone: 'bad' },
      essMin: { tone: 'bad' },
      divergences: { tone: 'bad' },
    });
  });

  it('stay dim during the run, and are missing if nothing was recorded', () => {
    const running = { ...verdict(1.2, 10, 5), status: 'RUN' };
    expect(judgeNumbers(running).rhatMax.tone).toBe('dim');
    expect(judgeNumbers(createFakeExperiment()).essMin.value).toBeNull();
  });
});

describe('the exported list', () => {
  it('quotes where needed and neutralizes formulas', () => {
    const csv = listCsv('experiment', [
      createFakeExperiment({ name: '=1+1', model_name: 'a, "b"', n_samples: 12000 }),
    ]);
    const [head, row] = csv.split('\r\n');
    expect(head.split(',')).toHaveLength(21);
    expect(row).toContain("'=1+1");
    expect(row).toContain('"a, ""b"""');
    expect(row).toContain(',12000,');
  });
});
