/** What reading threads do: each task is a function of what it is sent. Runs in a thread, never beside the event loop. */
import { kindOfId } from '../../contract/common.ts';
import { parseLargeBody } from '../http/json-body.ts';
import { checkRunData } from '../runs/program.ts';
import { readSettingsText } from '../runs/settings-text.ts';
import { formatOf } from '../use-cases/data-format.ts';
import { prepareBody } from './prepared-body.ts';

export const readingTasks = {
  /** A request body sent to the object `objid`; empty: to none. */
  body: ({ blocks, objid }: { readonly blocks: readonly Uint8Array[]; readonly objid: string }) =>
    prepareBody(parseLargeBody(Buffer.concat(blocks)), kindOfId(objid)),
  dataFormat: ({ bytes }: { readonly bytes: Uint8Array }) => formatOf(bytes),
  /** Why a run cannot read these data; null: it can. */
  runData: ({ bytes, fmt }: { readonly bytes: Uint8Array; readonly fmt: string }) =>
    checkRunData(bytes, fmt),
  settings: ({ text }: { readonly text: string }) => readSettingsText(text),
} as const;

export type ReadingTasks = typeof readingTasks;
export type ReadingTask = keyof ReadingTasks;
export type TaskInput<N extends ReadingTask> = Parameters<ReadingTasks[N]>[0];
export type TaskOutput<N extends ReadingTask> = ReturnType<ReadingTasks[N]>;

export interface ReadingOrder {
  readonly name: ReadingTask;
  readonly input: unknown;
}

export type ReadingAnswer =
  | { readonly output: unknown }
  /** An error for the caller, as `ServiceError` has it. */
  | {
      readonly refusal: {
        readonly code: string;
        readonly message: string;
        readonly details: unknown;
      };
    }
  /** A fault of ours. */
  | { readonly fault: string };
