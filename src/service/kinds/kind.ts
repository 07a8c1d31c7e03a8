/** What the service needs from a kind of object: the functions that the routes call through `kinds.ts`. */
import type * as z from 'zod/mini';
import type { ObjectKind } from '../../contract/common.ts';
import type { invokeResponseSchema } from '../../contract/invoke.ts';
import type {
  createPayloadSchema,
  ListEntry,
  listQuerySchema,
  updateAnswerSchema,
  updatePayloadSchema,
  View,
  viewQuerySchema,
} from '../../contract/objects.ts';
import type { CoreContext, WebContext } from '../context.ts';
import type { User, Viewer } from '../http/call.ts';
import type { Prepared } from '../http/prepared.ts';
import type { Snapshot } from '../policy/share-snapshot.ts';
import type { Executor } from '../repositories/database.ts';
import type { ObjectRow } from '../repositories/objects.ts';

export type AnyCreate = z.output<typeof createPayloadSchema>;
export type AnyUpdate = z.output<typeof updatePayloadSchema>;
export type UpdateAnswer = z.input<typeof updateAnswerSchema>;
export type InvokeAnswer = z.input<typeof invokeResponseSchema>;
export type ListQuery = z.output<typeof listQuerySchema>;
export type ViewQuery = z.output<typeof viewQuerySchema>;

/** Payload types of updates that are commands: they need a different right from changing the object. */
export type CommandType = 'model.run_script' | 'workflow.run' | 'workflow.run_analyzer';
export type Command<T extends CommandType = CommandType> = Extract<AnyUpdate, { object_type: T }>;

export type CreatePayload<K extends ObjectKind> = Extract<AnyCreate, { object_type: K }>;
/** The fields of a kind, or a message about an object of it (`experiment.text_message`). */
export type ChangePayload<K extends ObjectKind> = Exclude<
  Extract<AnyUpdate, { object_type: K | `${K}.${string}` }>,
  { object_type: CommandType }
>;

/** The user who creates an object. */
export interface Caller {
  readonly user: User;
  readonly viewer: Viewer;
  /** The parts of a large body that were already read. */
  readonly prepared?: Prepared;
}

/** An object that the viewer may change. */
export interface Target {
  readonly object: ObjectRow;
  readonly viewer: Viewer;
  readonly prepared: Prepared;
  /** Calls back when the response has been sent. */
  readonly onAnswered?: (listener: () => void) => void;
}

export interface ViewCall {
  readonly objid: string;
  readonly query: ViewQuery;
  readonly viewer: Viewer;
  /** The prefix of signed addresses. */
  readonly baseUrl: string;
}

export interface InvokeCall {
  readonly objid: string;
  readonly viewer: Viewer;
  /** Of a function. */
  readonly parameters?: unknown;
  readonly getResponse: boolean;
}

export type RunCommand<T extends CommandType = CommandType> = (
  context: CoreContext,
  call: { readonly objid: string; readonly viewer: Viewer },
  payload: Command<T>,
) => Promise<UpdateAnswer>;

/** All functions throw `ServiceError`. */
export interface Kind<K extends ObjectKind = ObjectKind, Row extends ObjectRow = ObjectRow> {
  create(context: CoreContext, caller: Caller, payload: CreatePayload<K>): Promise<ListEntry>;
  /** Absent: it cannot be changed. */
  change?(context: CoreContext, target: Target, payload: ChangePayload<K>): Promise<UpdateAnswer>;
  /** The kind's rows for these objects, in their order. */
  list(db: Executor, objects: readonly ObjectRow[]): Promise<readonly Row[]>;
  /** The entry in its owner's lists. */
  toWire(row: Row): ListEntry;
  /** One object or one of its variants, depending on the query; `policy/` decides here who may see which. */
  view(context: WebContext, call: ViewCall): Promise<View>;
  /** What a share stores of it, in the transaction that makes the share. Absent: it cannot be shared. */
  freeze?(tx: Executor, object: ObjectRow, include: readonly string[]): Promise<Snapshot>;

  /** Newest first. Absent: it has no versions. */
  versions?(db: Executor, id: number): Promise<{ version: number; created_at: string }[]>;
  /** Updates that are commands; each checks the caller's right itself. */
  readonly commands?: { readonly [T in CommandType]?: RunCommand<T> };
  /** Its actions for `/invoke`, by name; each checks the caller's right itself. */
  readonly actions?: Readonly<
    Record<string, (context: CoreContext, call: InvokeCall) => Promise<InvokeAnswer>>
  >;
  /** Called before it is deleted. */
  beforeDelete?(context: CoreContext, object: ObjectRow): Promise<void>;
  /** Creates what must exist before a user lists it. */
  beforeList?(db: Executor, userId: number): Promise<void>;
  /** Entries without an owner, listed after those of the database; null: not requested. */
  builtinEntries?(query: ListQuery): ListEntry[] | null;
}
