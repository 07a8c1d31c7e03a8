/** The host of public code: all its addresses, and how users name a repository or a snippet there. */
import { invalidField } from '../http/service-error.ts';

export interface CodeHost {
  /** Pages of repositories. */
  readonly web: string;
  /** Pages of snippets. */
  readonly gists: string;
  readonly api: string;
  /** Archives of a commit: `/{owner}/{name}/tar.gz/{commit}`. */
  readonly archives: string;
  /** Files of a commit: `/{owner}/{name}/{commit}/{path}`. */
  readonly files: string;
}

export const publicCodeHost: CodeHost = {
  web: 'https://github.com',
  gists: 'https://gist.github.com',
  api: 'https://api.github.com',
  archives: 'https://codeload.github.com',
  files: 'https://raw.githubusercontent.com',
};

export interface RepoName {
  readonly owner: string;
  readonly name: string;
  /** Branch, tag or commit; empty: the default branch. */
  readonly branch: string;
}

const part = /^[\w.-]{1,100}$/;
const isPart = (text: string) => part.test(text) && text !== '.' && text !== '..';

/** `owner/name`, or an address of the host with or without `/tree/BRANCH`. Throws INVALID_PARAMETER. */
export function parseRepo(host: CodeHost, text: string, branch: string): RepoName {
  const path = pathOn(host.web, text) ?? text;
  const [owner = '', rest = '', kind = '', ...ref] = path
    .split('/')
    .filter((segment) => segment !== '');
  const name = rest.replace(/\.git$/, '');
  const named = branch || (kind === 'tree' ? ref.join('/') : '');
  const isKnown = kind === '' || (kind === 'tree' && ref.length > 0);
  if (!isPart(owner) || !isPart(name) || !isKnown)
    throw invalidField('payload.repo', `must be owner/name or an address on ${host.web}.`);
  if (!/^[\w./-]{0,200}$/.test(named) || named.split('/').includes('..'))
    throw invalidField('payload.branch', 'is not the name of a branch, tag or commit.');
  return { owner, name, branch: named };
}

/** An id, or an address of a snippet. Throws INVALID_PARAMETER. */
export function parseGist(host: CodeHost, text: string): string {
  const path = pathOn(host.gists, text) ?? text;
  const id =
    path
      .split('/')
      .filter((segment) => segment !== '')
      .at(-1) ?? '';
  if (/^[0-9A-Za-z]{1,64}$/.test(id)) return id;
  throw invalidField(
    'payload.repo',
    `must be the id of a snippet, or an address on ${host.gists}.`,
  );
}

export type NamedPlace =
  | { readonly kind: 'repo' }
  | { readonly kind: 'gist' }
  /** A file or archive. */
  | { readonly kind: 'address'; readonly address: string };

/** What an address refers to: a repository, a snippet, or for a file's page the file itself. */
export function readPlace(host: CodeHost, address: string): NamedPlace {
  if (pathOn(host.gists, address) !== null) return { kind: 'gist' };
  const segments = pathOn(host.web, address)
    ?.split('/')
    .filter((segment) => segment !== '');
  if (segments === undefined) return { kind: 'address', address };
  if (segments.length === 2 || segments[2] === 'tree') return { kind: 'repo' };
  const [owner, name, kind, ...rest] = segments;
  if (kind !== 'blob' || rest.length < 2) return { kind: 'address', address };
  return { kind: 'address', address: [host.files, owner, name, ...rest].join('/') };
}

/** The path of an address with this origin; null for others. */
function pathOn(origin: string, text: string): string | null {
  const bare = text.trim().replace(/[?#].*$/, '');
  const base = `${origin}/`;
  return bare.toLowerCase().startsWith(base.toLowerCase()) ? bare.slice(base.length) : null;
}
