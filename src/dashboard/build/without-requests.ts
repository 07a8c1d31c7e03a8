/** What the page need not carry of the endpoint table. Used by Vite alone. */
import type { Plugin } from 'vite';

/**
 * Leaves the schemas of requests out of the built page, and what else the service alone reads: the client sends what its
 * types allow. They were 2 kB of the first view.
 */
export function withoutRequests(): Plugin {
  return {
    name: 'without-requests',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/src/contract/endpoints.ts')) return null;
      const left = code.replace(
        /^ {4}(?:(?:query|body): \w+|(?:capability|bodyLimit|policy): '\w+'|mediaTypes: \[.*\]),\n/gm,
        '',
      );
      if (left === code) this.error('The endpoint table names no schema of a request any more.');
      return { code: left, map: null };
    },
  };
}
