/** What the page asks the Stan worker, and what it answers. */
import type { Severity } from '../../language/diagnostics.ts';
import type { Completion } from '../../language/editor/complete.ts';
import type { OutlineItem } from '../../language/editor/outline.ts';
import type { Remedy } from '../../language/remedies/remedy.ts';
import type { WantedVariable } from '../../mapping/wanted.ts';
import type { DataCheck } from './data-check.ts';

/** Half-open range of offsets in a file. */
export interface FileRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A diagnostic with its file and place in it. */
export interface Problem extends FileRange {
  /** `stan/unknown-name`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly related: readonly (FileRange & { readonly message: string })[];
  readonly fix?: { readonly title: string; readonly replacement: string };
}

export interface Problems {
  readonly problems: readonly Problem[];
  /** Of the check itself. */
  readonly milliseconds: number;
}

/** Text by path of the files that changed; `removed` are gone. */
export interface FileChanges {
  readonly changed: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
  readonly entrance: string | null;
}

/** A remedy with the texts that it changes. */
export interface OfferedRemedy extends Omit<Remedy, 'edits'> {
  readonly files: readonly {
    readonly path: string;
    readonly before: string;
    readonly after: string;
  }[];
}

/** Questions about the files of a workspace, by name, with their answers. */
/** What a program reads: what columns of a table can be, and the names of tuples, which they cannot. */
export interface Wanted {
  readonly variables: readonly WantedVariable[];
  readonly tuples: readonly string[];
}

export interface StanQuestions {
  /** Takes what changed and checks it soon; null: more changes came before the check. */
  files: { ask: FileChanges; answer: Problems | null };
  hover: {
    ask: { path: string; offset: number };
    answer: (FileRange & { code: string; text: string }) | null;
  };
  complete: {
    ask: { path: string; offset: number };
    answer: { start: number; end: number; items: readonly Completion[] };
  };
  definition: { ask: { path: string; offset: number }; answer: FileRange | null };
  outline: { ask: { path: string }; answer: readonly OutlineItem[] };
  format: { ask: { path: string }; answer: string | null };
  /** Changes that often end a trouble of sampling; none for a program with errors. */
  remedies: { ask: Record<never, never>; answer: readonly OfferedRemedy[] };
  /** The newest state checked at once. */
  problems: { ask: Record<never, never>; answer: Problems };
  /** Data text against the data block of the entrance; `fmt` of the data object. */
  data: { ask: { text: string; fmt: string }; answer: DataCheck };
  /** What the data block of the entrance declares, for tables; null: there is no program, or it has errors. */
  wanted: { ask: Record<never, never>; answer: Wanted | null };
}
