/**
 * How the service performs with the data of a large institute, each part next to a baseline in the same run:
 *
 *   npm run bench -- scale PART [--database-url URL] …
 *
 *   objects   lists, searches, counts and views   --people 1e5 --experiments 1e6 --versions 6e6 --shares 4e6
 *   workers   claims, fairness, 300 killed        --workers 1000 --kill 300 --runs 2500
 *   sockets   idle WebSockets and one event       --sockets 1e4
 *   draws     writing, reading and deleting       --draws 1e9
 *   recovery  back to a moment in the past
 *
 * Without an address, Debian's PostgreSQL is started in a temporary folder, and removed. A server that is named
 * is filled unless it already is, and kept. `objects` takes 20 GB and half an hour, `draws` 10 GB.
 */
type Part = () => Promise<{ run(args: string[]): Promise<void> }>;
const parts: Readonly<Record<string, Part>> = {
  objects: () => import('./scale/objects.ts'),
  workers: () => import('./scale/workers.ts'),
  draws: () => import('./scale/draws.ts'),
  sockets: () => import('./scale/sockets.ts'),
  recovery: () => import('./scale/recovery.ts'),
};
const [name = '', ...rest] = process.argv.slice(2);
const part = parts[name];
if (part === undefined) {
  const names = Object.keys(parts).join(', ');
  process.stderr.write(`npm run bench -- scale PART, where PART is one of: ${names}\n`);
  process.exit(2);
}
await (await part()).run(rest);

export {};
