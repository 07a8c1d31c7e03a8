/** The program and data of a watched run as objects of the service: existing ones if they match, or new ones. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Client } from '../client/create-client.ts';
import { expectKind } from '../client/expect-kind.ts';
import type { Model, TreeNode } from '../contract/model.ts';
import { StartError } from '../service/start-error.ts';
import { readIncludes } from './run-inputs.ts';

/** Objects of the same name that are compared with the given one. */
const MOST_COMPARED = 10;

/** Id of the model, sent with its included files. Throws `StartError`, `ApiError`. */
export async function putModel(client: Client, path: string): Promise<string> {
  const source = read(path, '--model');
  const file = basename(path);
  const name = file.replace(/\.stan$/i, '');
  const texts = { [file]: source, ...readIncludes(path, source) };
  const isSame = ({ content }: Model) =>
    JSON.stringify(textsOf(content?.tree ?? [])) === JSON.stringify(sorted(texts));
  for (const { short_id: objid } of await named(client, 'model', name)) {
    const model = expectKind(await client.viewObject({ params: { objid } }), 'model');
    if (isSame(model)) return objid;
  }
  const tree = Object.entries(texts).map(([path, content]) => nodeOf(path.split('/'), content));
  const payload = {
    object_type: 'model' as const,
    name,
    env: 'stan',
    entrance_file: file,
    content: { tree },
  };
  return expectKind(await client.createObject({ body: { payload } }), 'model').short_id;
}

/** Id of the data. Throws `StartError`, `ApiError`. */
export async function putData(client: Client, path: string): Promise<string> {
  const text = read(path, '--data');
  const name = basename(path);
  for (const { short_id: objid } of await named(client, 'data', name)) {
    const view = expectKind(await client.viewObject({ params: { objid } }), 'data');
    const answer = view.path ? await fetch(view.path).catch(() => null) : null;
    if (answer?.ok && (await answer.text()) === text) return objid;
  }
  const payload = { object_type: 'data' as const, name, data: text };
  return expectKind(await client.createObject({ body: { payload } }), 'data').short_id;
}

async function named<K extends 'model' | 'data'>(client: Client, kind: K, name: string) {
  const query = { object_type: kind, q: name, page_size: 100 };
  const { objects } = await client.listObjects({ query });
  return objects
    .flatMap((entry) =>
      entry.object_type === kind && 'name' in entry && entry.name === name
        ? [{ short_id: entry.short_id }]
        : [],
    )
    .slice(0, MOST_COMPARED);
}

function read(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(
      `${option} ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
}

function nodeOf([name = '', ...rest]: readonly string[], content: string): TreeNode {
  if (rest.length === 0) return { name, type: 'file', content, encoding: 'text' };
  return { name, type: 'folder', children: [nodeOf(rest, content)] };
}

/** Text by path, in order. */
function textsOf(tree: readonly TreeNode[], folder = ''): Record<string, string> {
  const all = tree.map((node): Record<string, string> => {
    const path = folder + node.name;
    if (node.children && node.children.length > 0) return textsOf(node.children, `${path}/`);
    const text = node.content ?? '';
    return {
      [path]: node.encoding === 'text' ? text : Buffer.from(text, 'base64').toString('utf8'),
    };
  });
  return sorted(Object.assign({}, ...all) as Record<string, string>);
}

function sorted(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
