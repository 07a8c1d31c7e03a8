/** Parts of the endpoint table that the page does not need. Used by Vite only. */
import type { Plugin } from 'vite';

/**
 * Leaves the schemas of requests out of the built page, and other parts only the service reads: the client sends what
 * its types allow. They were 2 kB of the first view.
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
