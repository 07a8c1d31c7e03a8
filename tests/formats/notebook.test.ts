import { describe, expect, it } from 'vitest';
import { runVerdict } from '../../src/dashboard/features/status/run-verdict.ts';
import {
  changeText,
  type NotebookEntry,
  type NotebookRun,
  notebookItems,
  runChanges,
  runHeadline,
} from '../../src/formats/notebook.ts';
import { notebookMarkdown } from '../../src/formats/notebook-markdown.ts';

const run = (more: Partial<NotebookRun> = {}, meta: NotebookRun['meta'] = {}): NotebookRun => ({
  short_id: 'X0000001',
  name: 'A run',
  status: 'FIN',
  created_at: '2026-11-22T10:00:00.000Z',
  model_id: 'M0000001',
  model_name: 'Schools',
  n_chains: 4,
  n_samples: 1000,
  ...more,
  meta: {
    model_version: 1,
    data_name: 'Scores',
    data_version: 1,
    settings: { adapt_delta: 0.8, seed: 1, metric: 'diag_e' },
    ...meta,
  },
});
const entry = (id: number, created_at: string, text = 'decided'): NotebookEntry => ({
  id,
  text,
  version: 1,
  created_at,
  updated_at: created_at,
});
const textsOf = (before: NotebookRun, after: NotebookRun) =>
  runChanges(before, after).map(changeText);

describe('what a run changed', () => {
  it.each([
    ['the program', { model_version: 3 }, ['program v1 → v3']],
    ['the version of the data', { data_version: 2 }, ['data Scores v1 → Scores v2']],
    ['the data', { data_name: 'Others', data_version: 7 }, ['data Scores → Others']],
    ['to no data', { data_name: null }, ['data Scores removed']],
    [
      'a setting',
      { settings: { adapt_delta: 0.95, seed: 2, metric: 'diag_e' } },
      ['adapt_delta 0.8 → 0.95'],
    ],
    [
      'several settings',
      { settings: { adapt_delta: 0.8, seed: 2, thin: 5 } },
      ['metric diag_e removed', 'thin 5 added'],
    ],
    [
      'the seed alone',
      { settings: { adapt_delta: 0.8, seed: 2, metric: 'diag_e' } },
      ['another seed'],
    ],
    ['nothing', {}, []],
  ] as const)('is named: %s', (_, meta, texts) => {
    expect(textsOf(run(), run({}, meta))).toEqual(texts);
  });

  it('is another model by its id, or where a share hides ids, by its name', () => {
    const other = run({ model_id: 'M0000002', model_name: 'Schools' }, { model_version: 2 });
    expect(textsOf(run(), other)).toEqual(['another model named Schools']);
    const hidden = { model_id: '' };
    expect(textsOf(run(hidden), run({ ...hidden, model_name: 'Wells' }))).toEqual([
      'model Schools → Wells',
    ]);
    expect(textsOf(run(hidden), run(hidden, { model_version: 2 }))).toEqual(['program v1 → v2']);
  });

  it('is not guessed where a server does not report it', () => {
    const silent = run({}, { settings: null, model_version: null });
    expect(textsOf(silent, run({}, { model_version: 9 }))).toEqual([]);
  });
});

describe('the order of a notebook', () => {
  it('is that of time, each run beside the run before it', () => {
    const first = run({ short_id: 'X1' });
    const second = run(
      { short_id: 'X2', created_at: '2026-11-22T12:00:00.000Z' },
      { model_version: 2 },
    );
    const items = notebookItems(
      [second, first],
      [entry(1, '2026-11-22T11:00:00.000Z'), entry(2, '2026-11-22T12:00:00.000Z')],
    );
    const shown = items.map((item) =>
      item.kind === 'entry'
        ? item.entry.id
        : [item.run.short_id, item.previous?.short_id ?? null, item.changes.length],
    );
    expect(shown).toEqual([['X1', null, 0], 1, ['X2', 'X1', 1], 2]);
  });
});

describe('the line on a run', () => {
  const verdict = { state: 'warn', headline: '33 divergences' } as const;
  it.each([
    [run({ status: 'RUN' }), 'Too early to tell'],
    [run({ status: 'NEW' }), 'Not run yet'],
    [run({ status: 'ERR' }, { error: { message: 'No such file\nat 3' } }), 'No such file'],
    [run({ status: 'ERR' }), 'Failed'],
    [run({}, { verdict }), '33 divergences'],
    [run({ n_samples: 0 }), 'No verdict: the run has no draws'],
  ])('is what every page says: %#', (one, headline) => {
    expect(runHeadline(one)).toBe(headline);
    const shown = runVerdict(one as Parameters<typeof runVerdict>[0]);
    expect(shown?.headline).toBe(headline);
  });
});

describe('the file', () => {
  const asMember = (one: NotebookRun) => ({ ...one, object_type: 'experiment' as const });
  const project = {
    name: 'Eight *schools*',
    note: 'Why we look at it.\n',
    members: [
      { object_type: 'model', name: 'Schools', short_id: 'M0000001' } as const,
      { object_type: 'data', name: 'Scores', short_id: '' } as const,
      asMember(run()),
      asMember(
        run(
          { short_id: 'X0000002', name: 'again', created_at: '2026-11-22T12:30:59.000Z' },
          { model_version: 2, note: 'Better **mixing**.', verdict: { state: 'good' } },
        ),
      ),
    ].map((object) => ({ object })),
    entries: [entry(1, '2026-11-22T11:00:00.000Z', 'Decided to use a non-centred form.')],
  };

  it('has note, members and every item, in order', () => {
    expect(notebookMarkdown(project)).toBe(`# Eight \\*schools\\*

Why we look at it.

## Models

- Schools (\`M0000001\`)

## Data

- Scores

## Notebook

### 2026-11-22 10:00 UTC · A run (\`X0000001\`)

**No verdict** (model Schools v1, data Scores v1, 4 chains of 1000 draws)

### 2026-11-22 11:00 UTC

Decided to use a non-centred form.

### 2026-11-22 12:30 UTC · again (\`X0000002\`)

**Looks converged** (model Schools v2, data Scores v1, 4 chains of 1000 draws)

Changed: program v1 → v2.

Better **mixing**.
`);
  });

  it('of an empty project is its name', () => {
    expect(notebookMarkdown({ name: 'a\n# b', note: '' })).toBe('# a \\# b\n');
  });
});
