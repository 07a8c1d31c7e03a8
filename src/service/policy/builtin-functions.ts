/** Functions that come with the server: models that nobody owns, listed with the tag `builtin`, called like any other. */

import { objectIdPattern } from '../../contract/common.ts';
import type { FunctionParameter, Model } from '../../contract/model.ts';
import { invariant } from '../../shared/invariant.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';

export interface BuiltinCall {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whose rights the handler reads with. */
  readonly caller: Viewer;
}

/** Gives the answer, which must be JSON; throws `ServiceError`. */
export type BuiltinHandler = (context: CoreContext, call: BuiltinCall) => Promise<unknown>;

export interface BuiltinFunction {
  /** Stable: `M` and seven of 0-9A-Za-z. */
  readonly id: string;
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Markdown: its parameters and its answer; what a view shows as the only file. */
  readonly readme: string;
  /** What a form asks for, in order; absent: JSON is written. */
  readonly parameters?: readonly FunctionParameter[];
  readonly handler: BuiltinHandler;
}

const builtins = new Map<string, BuiltinFunction>();

/** Adds a function, or puts it in the place of one with the same id. Gives the way to take it away again. */
export function registerBuiltin(builtin: BuiltinFunction): () => void {
  invariant(
    objectIdPattern.test(builtin.id) && builtin.id.startsWith('M'),
    'the id of a built-in function is the id of a model',
  );
  builtins.set(builtin.id, builtin);
  return () => builtins.delete(builtin.id);
}

export function findBuiltin(id: string): BuiltinFunction | null {
  return builtins.get(id) ?? null;
}

const builtinTags = ['builtin', 'code'] as const;

/** Those whose name holds all words of `search`, or whose id begins with it, in the order they were added. */
export function listBuiltins(search = ''): readonly BuiltinFunction[] {
  const words = search.toLowerCase().split(/\s/);
  return [...builtins.values()].filter(
    ({ id, name }) =>
      words.every((word) => name.toLowerCase().includes(word)) || id.startsWith(search),
  );
}

const since = '2025-01-01T00:00:00.000Z';

export function builtinToWire({
  id,
  name,
  description,
  readme,
  parameters,
}: BuiltinFunction): Model {
  return {
    object_type: 'model',
    id: 0,
    short_id: id,
    name,
    meta: {},
    tags: [...builtinTags],
    content: {
      meta: { entrance_file: 'README.md' },
      tree: [{ name: 'README.md', type: 'file', content: readme, children: [], encoding: 'text' }],
    },
    env: '',
    lang: '',
    single_instance: false,
    description,
    version: 1,
    created_at: since,
    updated_at: since,
    owner: '',
    ...(parameters === undefined ? {} : { parameters: [...parameters] }),
  };
}
