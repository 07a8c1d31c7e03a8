/** Requests from the page to the Stan worker, and its answers. */
import type { Severity } from '../../language/diagnostics.ts';
import type { Completion } from '../../language/editor/complete.ts';
import type { OutlineItem } from '../../language/editor/outline.ts';
import type { SignatureHelp } from '../../language/editor/signature-help.ts';
import type { Formatted } from '../../language/format/format-program.ts';
import type { Remedy } from '../../language/remedies/remedy.ts';
import type { WantedVariable } from '../../mapping/wanted.ts';
import type { DataCheck } from './data-check.ts';

/** Half-open range of offsets in a file. */
export interface FileRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A diagnostic with its file and position. */
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

/** A remedy with the text changes that it makes. */
export interface OfferedRemedy extends Omit<Remedy, 'edits'> {
  readonly files: readonly {
    readonly path: string;
    readonly before: string;
    readonly after: string;
  }[];
}

/** What a program reads: what table columns can provide, and the names of tuples, which they cannot. */
export interface Wanted {
  readonly variables: readonly WantedVariable[];
  readonly tuples: readonly string[];
}

/** Replaces a range by `text`. */
export interface FileEdit extends FileRange {
  readonly text: string;
}

export interface OfferedFix {
  readonly title: string;
  /** Place and message of the problem that it fixes. */
  readonly problem: FileRange & { readonly message: string };
  /** Whether the problem is about syntax that Stan has removed. */
  readonly isRemovedSyntax: boolean;
  readonly edits: readonly FileEdit[];
}

/** Why something cannot be done, as a sentence. */
export interface Refused {
  readonly refusal: string;
}

/** Questions about the files of a workspace, by name, with their answers. */
export interface StanQuestions {
  /** Applies the changes and checks them soon; null: more changes came before the check. */
  files: { ask: FileChanges; answer: Problems | null };
  hover: {
    ask: { path: string; offset: number };
    answer: (FileRange & { code: string; text: string }) | null;
  };
  complete: {
    ask: { path: string; offset: number };
    answer: { start: number; end: number; items: readonly Completion[] };
  };
  /** For the call around the offset; null: there is none. */
  signature: { ask: { path: string; offset: number }; answer: SignatureHelp | null };
  /** All places of the symbol at the offset. */
  occurrences: {
    ask: { path: string; offset: number };
    answer: readonly (FileRange & { isWrite: boolean })[];
  };
  renamePlace: {
    ask: { path: string; offset: number };
    answer: (FileRange & { name: string }) | Refused;
  };
  rename: {
    ask: { path: string; offset: number; name: string };
    answer: { edits: readonly FileEdit[] } | Refused;
  };
  /** Fixes of the problems that touch a range. */
  fixes: { ask: FileRange; answer: readonly OfferedFix[] };
  /** Edits that rewrite all removed syntax of the program that the file is part of; empty: there is none. */
  fixRemoved: { ask: { path: string }; answer: { edits: readonly FileEdit[]; count: number } };
  /** Whether all stricter checks are shown, or only those that are rarely wrong. */
  strict: { ask: { isOn: boolean }; answer: Problems };
  definition: { ask: { path: string; offset: number }; answer: FileRange | null };
  outline: { ask: { path: string }; answer: readonly OutlineItem[] };
  /** The formatted file, or why it could not be formatted. */
  format: { ask: { path: string }; answer: Formatted };
  /** Changes that often fix a sampling problem; none for a program with errors. */
  remedies: { ask: Record<never, never>; answer: readonly OfferedRemedy[] };
  /** Checks the newest state immediately. */
  problems: { ask: Record<never, never>; answer: Problems };
  /** Data text against the data block of the entrance; `fmt` of the data object. */
  data: { ask: { text: string; fmt: string }; answer: DataCheck };
  /** What the data block of the entrance declares, for tables; null: there is no program, or it has errors. */
  wanted: { ask: Record<never, never>; answer: Wanted | null };
}
