/** The notebook of a project: its runs and texts by time, and what each run changed from the one before it. */
import { headlineOf, type LabelledVerdict } from '../posterior/verdict-label.ts';

/** The fields of a run in a notebook, named as on the wire. */
export interface NotebookRun {
  readonly short_id: string;
  readonly name: string;
  readonly status: string;
  readonly created_at?: string;
  readonly model_id?: string | null;
  readonly model_name: string;
  readonly n_chains: number;
  readonly n_samples: number;
  readonly meta?: {
    readonly model_version?: number | null;
    readonly data_name?: string | null;
    readonly data_version?: number | null;
    readonly settings?: Readonly<Record<string, unknown>> | null;
    readonly note?: string | null;
    readonly verdict?: LabelledVerdict | null;
    readonly error?: { readonly message: string } | null;
  } | null;
}

export interface NotebookEntry {
  readonly id: number;
  readonly text: string;
  readonly version: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

export type NotebookItem<R extends NotebookRun = NotebookRun> =
  | {
      readonly kind: 'run';
      readonly at: string;
      readonly run: R;
      /** The previous run in the notebook; null: it is the first. */
      readonly previous: R | null;
      readonly changes: readonly RunChange[];
    }
  | { readonly kind: 'entry'; readonly at: string; readonly entry: NotebookEntry };

export interface RunChange {
  /** `model`: another one; `program`: another version of the same; `seed`: nothing else changed. */
  readonly what: 'model' | 'program' | 'data' | 'setting' | 'seed';
  /** "adapt_delta"; empty if `what` says it. */
  readonly name: string;
  /** Null: there was none, or there is none now. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The oldest first; equal times keep the given order, runs before texts. */
export function notebookItems<R extends NotebookRun>(
  runs: readonly R[],
  entries: readonly NotebookEntry[],
): readonly NotebookItem<R>[] {
  const time = (text = '') => Date.parse(text) || 0;
  const inOrder = runs.toSorted((a, b) => time(a.created_at) - time(b.created_at));
  const items = [
    ...inOrder.map((run, index): NotebookItem<R> => {
      const previous = inOrder[index - 1] ?? null;
      const changes = previous === null ? [] : runChanges(previous, run);
      return { kind: 'run', at: run.created_at ?? '', run, previous, changes };
    }),
    ...entries.map((entry): NotebookItem<R> => ({ kind: 'entry', at: entry.created_at, entry })),
  ];
  return items.toSorted((a, b) => time(a.at) - time(b.at));
}

/** What a run changed; leaves out what a server does not report for both. */
export function runChanges(before: NotebookRun, after: NotebookRun): readonly RunChange[] {
  const changes = [...programChange(before, after), ...dataChange(before, after)];
  const [old, now] = [before.meta?.settings, after.meta?.settings];
  if (!old || !now) return changes;
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  for (const name of names) {
    if (name === 'seed') continue;
    const [from, to] = [settingText(old[name]), settingText(now[name])];
    if (from !== to) changes.push({ what: 'setting', name, before: from, after: to });
  }
  const [seed, next] = [settingText(old.seed), settingText(now.seed)];
  // Every run has its own seed: worth mentioning only if nothing else differs.
  if (changes.length === 0 && seed !== next)
    changes.push({ what: 'seed', name: '', before: seed, after: next });
  return changes;
}

function programChange(before: NotebookRun, after: NotebookRun): RunChange[] {
  const isOther =
    before.model_id && after.model_id
      ? before.model_id !== after.model_id
      : before.model_name !== after.model_name;
  const names = { before: before.model_name || null, after: after.model_name || null };
  if (isOther) return [{ what: 'model', name: '', ...names }];
  const [old, now] = [before.meta?.model_version, after.meta?.model_version];
  if (!old || !now || old === now) return [];
  return [{ what: 'program', name: '', before: `v${old}`, after: `v${now}` }];
}

function dataChange({ meta: old }: NotebookRun, { meta: now }: NotebookRun): RunChange[] {
  const label = (meta: NotebookRun['meta'], withVersion: boolean) => {
    if (!meta?.data_name) return null;
    return withVersion && meta.data_version
      ? `${meta.data_name} v${meta.data_version}`
      : meta.data_name;
  };
  const isSameName = old?.data_name === now?.data_name;
  const [before, after] = [label(old, isSameName), label(now, isSameName)];
  return before === after ? [] : [{ what: 'data', name: '', before, after }];
}

function settingText(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** "adapt_delta 0.8 → 0.95", "program v2 → v3", "another seed". */
export function changeText({ what, name, before, after }: RunChange): string {
  if (what === 'seed') return 'another seed';
  // only names of models may be ambiguous
  if (before === after) return `another model named ${after}`;
  const subject = what === 'setting' ? name : what;
  if (before === null) return `${subject} ${after} added`;
  if (after === null) return `${subject} ${before} removed`;
  return `${subject} ${before} → ${after}`;
}

/** The result of a run in one line: its verdict, or why there is none. */
export function runHeadline({ status, n_samples: draws, meta }: NotebookRun): string {
  const isUnderWay = status === 'RUN' || status === 'SAMPLE_FIN';
  if (status === 'ERR' || (isUnderWay && meta?.error))
    return meta?.error?.message.split('\n')[0] || 'Failed';
  if (isUnderWay) return 'Too early to tell';
  if (status === 'NEW') return 'Not run yet';
  if (meta?.verdict) return headlineOf(meta.verdict);
  return draws > 0 ? 'No verdict' : 'No verdict: the run has no draws';
}
