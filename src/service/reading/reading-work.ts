/** The tasks of reading threads, and the messages of both sides; `reading-worker/` runs them. */
import type { ModelFile, ModelFiles } from '../../formats/model-tree.ts';
import type { Result } from '../../shared/result.ts';
import type { DataFormat } from '../content/data-format.ts';
import type { ProgramCheck, RunDataCheck } from '../content/data-labels.ts';
import type { RunSettings } from '../content/settings-text.ts';
import type { ReadBody } from '../http/prepared.ts';
import type { NewModelContent } from '../repositories/models.ts';

export interface ReadingWork {
  /** A request body sent to the object `objid`; empty: to no object. */
  body(input: { readonly blocks: readonly Uint8Array[]; readonly objid: string }): ReadBody;
  /** A zip, tar or tar.gz archive. */
  archive(input: { readonly bytes: Uint8Array }): ModelFiles;
  /** Files to be used as the content of a model. */
  filesContent(input: {
    readonly files: readonly ModelFile[];
    readonly entrance: string;
  }): NewModelContent;
  isJson(input: { readonly text: string }): boolean;
  dataFormat(input: { readonly bytes: Uint8Array }): DataFormat;
  runData(input: { readonly bytes: Uint8Array; readonly fmt: string }): RunDataCheck;
  /** Whether a program can run, and the names of its dimensions. */
  checkProgram(input: {
    readonly name: string;
    readonly files: ReadonlyMap<string, Uint8Array>;
    readonly hasData: boolean;
  }): Promise<ProgramCheck>;
  /** Settings in the form for a package. */
  packageSettings(input: { readonly text: string }): string;
  settings(input: { readonly text: string }): Result<RunSettings, string>;
}

export type ReadingTask = keyof ReadingWork;
export type TaskInput<N extends ReadingTask> = Parameters<ReadingWork[N]>[0];
export type TaskOutput<N extends ReadingTask> = Awaited<ReturnType<ReadingWork[N]>>;

export interface ReadingRequest {
  readonly name: ReadingTask;
  readonly input: unknown;
}

export type ReadingAnswer =
  | { readonly output: unknown }
  /** An error for the caller, in the form of `ServiceError`. */
  | {
      readonly refusal: {
        readonly code: string;
        readonly message: string;
        readonly details: unknown;
      };
    }
  /** A fault of the service. */
  | { readonly fault: string };
