/** Parts of a large body that a thread already read, so that the handler gets values instead of text. */
import type { AnalyzerFile } from '../repositories/analyses.ts';
import type { DataContent } from '../repositories/data.ts';
import type { ImportFile } from '../repositories/imports.ts';
import type { NewModelContent } from '../repositories/models.ts';
import type { ChainBlock } from '../repositories/runner-draws.ts';

/** Absent: still in the body, as sent. */
export interface Prepared {
  readonly data?: DataContent;
  readonly content?: NewModelContent;
  readonly draws?: readonly ChainBlock[];
  readonly dataFiles?: readonly ImportFile[];
  /** Of an analysis; null: it has no file. */
  readonly result?: { readonly file: AnalyzerFile | null };
}

export interface ReadBody {
  readonly body: unknown;
  readonly prepared: Prepared;
}
