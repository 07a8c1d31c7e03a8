/** What the page and the Stan worker say to each other. */
import type { Severity } from '../../language/diagnostics.ts';
import type { Completion } from '../../language/editor/complete.ts';
import type { OutlineItem } from '../../language/editor/outline.ts';
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

/** Questions about a file of the workspace, by name, with their answers. */
export interface Questions {
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
  /** The newest state checked at once. */
  problems: { ask: Record<never, never>; answer: Problems };
  /** Data text against the data block of the entrance; null: the program has errors. */
  data: { ask: { text: string }; answer: DataCheck };
}

export type QuestionName = keyof Questions;

/** Text by path of the files that changed; `removed` are gone. */
export interface FilesMessage {
  readonly type: 'files';
  readonly changed: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
  readonly entrance: string | null;
}

export type ToWorker =
  | FilesMessage
  | {
      readonly type: 'ask';
      readonly id: number;
      readonly name: QuestionName;
      readonly ask: unknown;
    };

export type FromWorker =
  | ({ readonly type: 'problems' } & Problems)
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly message: string };
