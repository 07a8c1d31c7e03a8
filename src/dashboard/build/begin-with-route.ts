/** The script `begin.js` of the built page. Used by Vite only. */
import type { Plugin } from 'vite';

/** `_app.experiments.$experimentId` → the pattern of its path; null if it is not a page. */
function routePattern(route: string): string | null {
  if (route === '__root' || route === '_app') return null;
  const parts = route.split('.').filter((part) => part !== '_app' && part !== 'index');
  return `^/${parts.map((part) => (part.startsWith('$') ? '[^/]+' : part)).join('/')}/?$`;
}

/**
 * A separate script that immediately requests the code of the page in the address. Without it that code is requested
 * when the frame has been fetched and run. In a file, since the security policy forbids scripts inside the page.
 */
export function beginWithRoute(): Plugin {
  let file = '';
  return {
    name: 'begin-with-route',
    apply: 'build',
    enforce: 'pre',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const closure = (from: string, seen = new Set<string>()) => {
        if (seen.has(from)) return seen;
        seen.add(from);
        for (const name of byName.get(from)?.imports ?? []) closure(name, seen);
        return seen;
      };
      const first = new Set(
        chunks.filter((one) => one.isEntry).flatMap((one) => [...closure(one.fileName)]),
      );
      const table = chunks.flatMap((chunk) => {
        const [, route] =
          /dashboard[\\/]routes[\\/](.+)\.tsx\?tsr-split=component/.exec(
            chunk.facadeModuleId ?? '',
          ) ?? [];
        const pattern = route === undefined ? null : routePattern(route);
        if (pattern === null) return [];
        const files = [...closure(chunk.fileName)].filter((name) => !first.has(name));
        return [[pattern, files.map((name) => name.replace('assets/', ''))]];
      });
      // The narrowest pattern first: `/models/new` is not a model.
      table.sort(
        ([one], [other]) => String(one).split('[^').length - String(other).split('[^').length,
      );
      const source = `for(const[pattern,files]of ${JSON.stringify(table)})if(new RegExp(pattern).test(location.pathname)){for(const file of files){const link=document.createElement("link");link.rel="modulepreload";link.href="/assets/"+file;document.head.append(link)}break}`;
      file = this.getFileName(this.emitFile({ type: 'asset', name: 'begin.js', source }));
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        {
          tag: 'script',
          attrs: { src: `/${file}`, async: true, fetchpriority: 'high' },
          injectTo: 'head',
        },
      ],
    },
  };
}
