/** The program of a callback: its inline code, or a file that the code names in a snippet or repository. */

import type { CoreContext } from '../context.ts';
import { fetchGist } from '../fetching/fetch-files.ts';
import type { ConfinedLanguage } from '../guests/confined-runtimes.ts';
import type { Viewer } from '../http/call.ts';
import { invalidField, invalidParameter, notFound } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { listCallbacks } from '../repositories/relations.ts';
import type { FunctionProgram } from './function-program.ts';

export type CallbackLanguage = 'javascript' | ConfinedLanguage;

/** Where the code of a callback is. */
export type CallbackCode =
  | { readonly kind: 'inline'; readonly text: string }
  | { readonly kind: 'gist'; readonly id: string; readonly file: string }
  | { readonly kind: 'repo'; readonly repo: string; readonly file: string };

const gistPattern = /^gist:([0-9A-Za-z]{1,64}):([^\0\\:]{1,255})$/;
const repoPattern = /^repo:([\w.-]{1,100}\/[\w.-]{1,100}):([^\0\\:]{1,255})$/;

/** `gist:<id>:<file>`, `repo:<owner>/<name>:<file>`; anything else is inline code. Throws if a reference is malformed. */
export function parseCallbackCode(code: string): CallbackCode {
  const text = code.trim();
  const [, id, gistFile] = gistPattern.exec(text) ?? [];
  if (id !== undefined && gistFile !== undefined) return { kind: 'gist', id, file: gistFile };
  const [, repo, repoFile] = repoPattern.exec(text) ?? [];
  if (repo !== undefined && repoFile !== undefined) return { kind: 'repo', repo, file: repoFile };
  if (/^(gist|repo):\S*$/.test(text))
    throw invalidField(
      'payload.code',
      'must be gist:<id>:<file>, repo:<owner>/<name>:<file>, or the code itself.',
    );
  return { kind: 'inline', text: code };
}

const entrances: Record<CallbackLanguage, string> = {
  javascript: 'main.js',
  python: 'main.py',
  julia: 'main.jl',
  r: 'main.R',
};

/** Throws NOT_FOUND when the callback is gone, and the fetcher's errors when its code is elsewhere. */
export async function readCallbackProgram(
  context: CoreContext,
  { callbackId, viewer }: { callbackId: string; viewer: Viewer },
): Promise<FunctionProgram> {
  const object = await authorizeLive(context, { objid: callbackId, operation: 'view', viewer });
  const [row] = await listCallbacks(context.pool, [object]);
  if (row === undefined) throw notFound('There is no such callback.');
  const language = row.lang as CallbackLanguage;
  const base = {
    modelId: callbackId,
    name: callbackId,
    version: 0,
    isSingleInstance: row.single_instance,
    language,
  };
  const code = parseCallbackCode(row.code);
  if (code.kind === 'inline') {
    const entrance = entrances[language];
    return { ...base, entrance, files: new Map([[entrance, Buffer.from(code.text)]]) };
  }
  const bytes = Buffer.from(await fetchCode(context, code));
  return { ...base, entrance: code.file, files: new Map([[code.file, bytes]]) };
}

type OutsideCode = Exclude<CallbackCode, { kind: 'inline' }>;

/** A file of a snippet's current version, or of a repository's default branch. */
async function fetchCode(
  { fetcher, codeHost }: Pick<CoreContext, 'fetcher' | 'codeHost'>,
  code: OutsideCode,
): Promise<Uint8Array> {
  if (code.kind === 'repo') {
    const file = code.file.split('/').map(encodeURIComponent).join('/');
    return (await fetcher.fetch(`${codeHost.files}/${code.repo}/HEAD/${file}`)).bytes;
  }
  const { files } = await fetchGist({ fetcher, codeHost }, code.id);
  const found = files.find(({ path }) => path === code.file);
  if (found === undefined)
    throw invalidParameter(`The snippet ${code.id} has no file ${code.file}.`, {
      field: 'payload.code',
    });
  return found.bytes;
}
