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
    ['the removal of data', { data_name: null }, ['data Scores removed']],
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

  it('is another model by id, or by name if a share hides ids', () => {
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
    expect(textsOf(run({}, { model_version: 9 }), silent)).toEqual([]);
    const nothing: NotebookRun = { ...run(), meta: null };
    expect(textsOf(nothing, nothing)).toEqual([]);
    expect(textsOf(nothing, run({}, { data_name: null }))).toEqual([]);
  });

  it.each([
    ['data that are added', run({}, { data_name: null }), run(), ['data Scores added']],
    [
      'data without a version before',
      run({}, { data_version: null }),
      run(),
      ['data Scores → Scores v1'],
    ],
    [
      'a model if there was none before',
      run({ model_id: null, model_name: '' }),
      run(),
      ['model Schools added'],
    ],
    [
      'a model with an id only before, by its name',
      run(),
      run({ model_id: '', model_name: 'Schools' }),
      [],
    ],
    [
      'settings that are not strings, but no empty ones',
      run({}, { settings: { a: [1], b: '', c: null, e: 'x' } }),
      run({}, { settings: { a: [2], b: null, d: { x: 1 }, e: 'x' } }),
      ['a [1] → [2]', 'd {"x":1} added'],
    ],
    [
      'a seed that is added',
      run({}, { settings: {} }),
      run({}, { settings: { seed: 3 } }),
      ['another seed'],
    ],
  ])('is listed for %s', (_, before, after, texts) =>
    expect(textsOf(before, after)).toEqual(texts),
  );

  it('has the part, the name, and the values before and after', () => {
    const parts = (before: NotebookRun, after: NotebookRun) => runChanges(before, after);
    expect(parts(run(), run({}, { model_version: 2 }))).toEqual([
      { what: 'program', name: '', before: 'v1', after: 'v2' },
    ]);
    expect(parts(run(), run({ model_id: 'M2', model_name: 'Wells' }))).toEqual([
      { what: 'model', name: '', before: 'Schools', after: 'Wells' },
    ]);
    expect(parts(run(), run({}, { data_name: null }))).toEqual([
      { what: 'data', name: '', before: 'Scores', after: null },
    ]);
    expect(parts(run({}, { settings: { seed: 1 } }), run({}, { settings: { seed: 2 } }))).toEqual([
      { what: 'seed', name: '', before: '1', after: '2' },
    ]);
    expect(parts(run({}, { settings: { a: 1 } }), run({}, { settings: {} }))).toEqual([
      { what: 'setting', name: 'a', before: '1', after: null },
    ]);
  });
});

describe('the order of a notebook', () => {
  it('is chronological, with each run compared to the one before', () => {
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
    expect(items.map(({ kind }) => kind)).toEqual(['run', 'entry', 'run', 'entry']);
    expect(items.map(({ at }) => at)).toEqual([
      '2026-11-22T10:00:00.000Z',
      '2026-11-22T11:00:00.000Z',
      '2026-11-22T12:00:00.000Z',
      '2026-11-22T12:00:00.000Z',
    ]);
  });

  it('begins with items without a time', () => {
    const timeless = run({ short_id: 'X0', created_at: undefined });
    const items = notebookItems([run(), timeless], [entry(1, 'someday')]);
    expect(
      items.map((item) => (item.kind === 'entry' ? item.entry.id : item.run.short_id)),
    ).toEqual(['X0', 1, 'X0000001']);
    expect(items[0]?.at).toBe('');
  });
});

describe('the headline of a run', () => {
  const verdict = { state: 'warn', headline: '33 divergences' } as const;
  it.each([
    [run({ status: 'RUN' }), 'Too early to tell'],
    [run({ status: 'NEW' }), 'Not run yet'],
    [run({ status: 'ERR' }, { error: { message: 'No such file\nat 3' } }), 'No such file'],
    [run({ status: 'ERR' }), 'Failed'],
    [run({ status: 'ERR' }, { error: { message: '' } }), 'Failed'],
    [run({ status: 'SAMPLE_FIN' }), 'Too early to tell'],
    [run({ status: 'RUN' }, { error: { message: 'Lost\nat 3' } }), 'Lost'],
    [run({}, { verdict }), '33 divergences'],
    [run({ n_samples: 0 }), 'No verdict: the run has no draws'],
  ])('is the same on every page: %#', (one, headline) => {
    expect(runHeadline(one)).toBe(headline);
    const shown = runVerdict(one as Parameters<typeof runVerdict>[0]);
    expect(shown?.headline).toBe(headline);
  });

  it.each([
    ['RUN', 'Too early to tell'],
    ['ERR', 'Failed'],
    ['FIN', 'No verdict'],
  ])('with the status %s is known if a server reports nothing else', (status, headline) =>
    expect(runHeadline({ ...run({ status }), meta: null })).toBe(headline),
  );

  it('is "No verdict" for a run of few draws without a verdict', () =>
    expect(runHeadline(run({ n_samples: 1 }))).toBe('No verdict'));
});

describe('the Markdown file', () => {
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

  it('has texts without surrounding blanks, and every change of a run', () => {
    const members = [
      asMember({ ...run(), meta: null }),
      asMember(
        run({ name: 'two\n  words', created_at: '2026-11-22T11:00:00.000Z' }, { settings: null }),
      ),
      asMember(
        run({ created_at: '2026-11-22T12:00:00.000Z' }, { model_version: 2, data_version: 2 }),
      ),
    ].map((object) => ({ object }));
    const entries = [entry(1, '2026-11-22T10:30:00.000Z', '\n  decided \n')];
    const text = notebookMarkdown({ name: 'p', note: '', members, entries });
    expect(text).toContain('**No verdict** (model Schools, 4 chains of 1000 draws)\n');
    expect(text).toContain('### 2026-11-22 10:30 UTC\n\ndecided\n\n###');
    expect(text).toContain('UTC · two words (`X0000001`)\n');
    expect(text).toContain('\nChanged: program v1 → v2; data Scores v1 → Scores v2.\n');
  });

  it('reports what is known of a run, and if it changed nothing', () => {
    const named = (object_type: 'model' | 'data', name: string, short_id: string) => ({
      object_type,
      name,
      short_id,
    });
    const silent = {
      ...run({ name: '', model_name: '', n_chains: 0, status: 'NEW' }),
      meta: null,
    };
    const members = [
      named('data', 'D `1`', 'D0000001'),
      named('data', '', 'D0000002'),
      asMember(silent),
      asMember(
        run(
          { n_chains: 1, n_samples: 20, created_at: '2026-11-22T11:00:00.000Z' },
          {
            model_version: null,
            data_version: null,
            note: '  ',
          },
        ),
      ),
      asMember(
        run(
          { created_at: '2026-11-22T12:00:00.000Z' },
          { model_version: null, data_version: null, data_name: 'Scores' },
        ),
      ),
    ].map((object) => ({ object }));
    expect(notebookMarkdown({ name: 'p', note: ' ', members })).toBe(`# p

## Data

- D \\\`1\\\` (\`D0000001\`)
- D0000002

## Notebook

### 2026-11-22 10:00 UTC · X0000001 (\`X0000001\`)

**Not run yet**

### 2026-11-22 11:00 UTC · A run (\`X0000001\`)

**No verdict** (model Schools, data Scores, 1 chain of 20 draws)

Changed: data Scores added.

### 2026-11-22 12:00 UTC · A run (\`X0000001\`)

**No verdict** (model Schools, data Scores, 4 chains of 1000 draws)

The same program, data and settings as the previous run.
`);
  });
});
