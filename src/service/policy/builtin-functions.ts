/** Functions that come with the server: models without an owner, tagged `builtin`, called like any other function. */

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
  /** Stable: `M` and seven characters of 0-9A-Za-z. */
  readonly id: string;
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Markdown: its parameters and its answer; a view shows it as the only file. */
  readonly readme: string;
  /** The fields of the form, in order; absent: the caller writes JSON. */
  readonly parameters?: readonly FunctionParameter[];
  readonly handler: BuiltinHandler;
}

const builtins = new Map<string, BuiltinFunction>();

/** Adds a function, or replaces the one with the same id. Returns a function that removes it. */
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

/** Those whose name contains all words of `search`, or whose id begins with it, in the order they were added. */
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
