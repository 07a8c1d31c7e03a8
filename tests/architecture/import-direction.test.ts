/** Rooms import one way only, without cycles, and the pure ones touch neither Node nor the page. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type DashboardFolder,
  dashboardFolders,
  dashboardRemedies,
  exceptions,
  impureFiles,
  mayImport,
  pureRooms,
  type Room,
  recursiveFolders,
  remedies,
  serviceFiles,
  serviceFolders,
  serviceRemedy,
  sharedFeatures,
  sqlExceptions,
  sqlFolders,
} from './import-rules.ts';

const root = resolve(import.meta.dirname, '../..');

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function roomOf(file: string): Room {
  const parts = file.split('/');
  return (parts.length === 2 ? 'entry' : parts[1]) as Room;
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  readonly typeOnly: boolean;
}

/** Relative imports of a file, static, dynamic and re-exported; comments are blanked first. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/^\s*\/\/.*$/gm, '');
  const found: Import[] = [];
  const pattern =
    /(?:^|\n)\s*(import|export)\s+(type\s)?[^'";]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;
  for (const match of text.matchAll(pattern)) {
    const target = match[3] ?? match[4] ?? match[5];
    if (!target.startsWith('.')) continue;
    found.push({
      from: file,
      to: relative(root, resolve(root, dirname(file), target.replace(/\?.*$/, ''))),
      line: text.slice(0, match.index).split('\n').length,
      typeOnly: match[2] !== undefined,
    });
  }
  return found;
}

const files = sourceFiles('src').filter((file) => !file.endsWith('.gen.ts'));
const imports = files.flatMap(importsOf);

describe('rooms', () => {
  it('import only what the table allows', () => {
    const broken = imports
      .filter(({ from, to }) => to.startsWith('src/') && roomOf(from) !== roomOf(to))
      .filter(({ from, to }) => !mayImport[roomOf(from)].includes(roomOf(to)))
      .filter(
        ({ from, to }) =>
          !exceptions.some((rule) => rule.from === roomOf(from) && rule.file === to),
      )
      .map(
        ({ from, to, line }) =>
          `${from}:${line} imports ${to}: ${remedies[roomOf(from)] ?? 'turn the import round'}`,
      );
    expect(broken).toEqual([]);
  });

  it('stay inside src', () => {
    // the R client is one file that users take from `clients/`, and that sandboxed programs in R find
    const allowed = ['package.json', 'clients/r/ergodic.R'];
    const outside = imports.filter(({ to }) => !to.startsWith('src/') && !allowed.includes(to));
    expect(outside.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  it('have no cycles between files', () => {
    const graph = new Map(files.map((file) => [file, [] as string[]]));
    for (const { from, to, typeOnly } of imports) {
      const isRecursion = dirname(from) === dirname(to) && recursiveFolders.includes(dirname(from));
      if (!typeOnly && !isRecursion && graph.has(to)) graph.get(from)?.push(to);
    }
    expect(findCycle(graph)).toEqual([]);
  });

  it('that are pure use neither Node nor the page', () => {
    const pattern = /from\s*['"]node:|(?<![-\w])process\.|\bdocument\.|\bwindow\./;
    const broken = files
      .filter(
        (file) =>
          pureRooms.includes(roomOf(file)) && !impureFiles.some((allowed) => allowed.test(file)),
      )
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .map((text, index) => ({
            text: text.replace(/\/\/.*|^\s*\*.*|\/\*.*/, ''),
            line: index + 1,
            file,
          })),
      )
      .filter(({ text }) => pattern.test(text))
      .map(({ file, line, text }) => `${file}:${line} ${text.trim()}`);
    expect(broken).toEqual([]);
  });
});

const dashboard = 'src/dashboard/';

/** Features in separate folders may import each other's files only if the table names them. */
function folderOf(file: string): DashboardFolder {
  const [folder, name] = file.slice(dashboard.length).split('/');
  if (folder === 'features')
    return sharedFeatures.find((shared) => shared === name) ?? ('feature' as const);
  if (/^(theme|tokens)\.ts$/.test(folder)) return 'look';
  if (folder === 'services.ts') return 'services';
  return folder in dashboardFolders ? (folder as DashboardFolder) : 'entry';
}

const featureOf = (file: string) => /^src\/dashboard\/features\/([^/]+)\//.exec(file)?.[1];

describe('folders of the dashboard', () => {
  const within = imports.filter(
    ({ from, to }) => from.startsWith(dashboard) && to.startsWith(dashboard) && files.includes(to),
  );

  it('import only what their table allows', () => {
    const broken = within.filter(({ from, to }) => {
      const [a, b] = [folderOf(from), folderOf(to)];
      if (a === 'feature' && b === 'feature') return featureOf(from) !== featureOf(to);
      return a !== b && !dashboardFolders[a].includes(b);
    });
    expect(
      broken.map(
        ({ from, to, line }) =>
          `${from}:${line} imports ${to}: ${dashboardRemedies[folderOf(from)]}`,
      ),
    ).toEqual([]);
  });

  it('do not import each other, types included', () => {
    const graph = new Map<string, string[]>();
    // A file directly in the dashboard counts as its own folder.
    const nodeOf = (file: string) => (dirname(file) === 'src/dashboard' ? file : dirname(file));
    for (const { from, to } of within) {
      const [a, b] = [nodeOf(from), nodeOf(to)];
      if (!graph.has(a)) graph.set(a, []);
      if (!graph.has(b)) graph.set(b, []);
      if (a !== b) graph.get(a)?.push(b);
    }
    const circle = findCycle(graph);
    expect(circle, 'move the type or the function that both need into the lower folder').toEqual(
      [],
    );
  });

  it('have files that do not import each other, types included', () => {
    const graph = new Map(
      files.filter((file) => file.startsWith(dashboard)).map((file) => [file, [] as string[]]),
    );
    for (const { from, to } of within) if (from !== to) graph.get(from)?.push(to);
    expect(findCycle(graph), 'move the shared type into a file of its own').toEqual([]);
  });
});

describe('folders of the service', () => {
  /** Folder of a file below `service/`; for a file directly in it, its name in the table. */
  const folderOf = (file: string) => {
    const [first, second] = file.split('/').slice(2);
    return second === undefined ? (serviceFiles[first] ?? 'entry') : first;
  };
  const inside = (file: string) => file.startsWith('src/service/');

  it('import only what the table allows, types too', () => {
    const broken = imports
      .filter(({ from, to }) => inside(from) && inside(to) && folderOf(from) !== folderOf(to))
      .filter(({ from, to }) => !serviceFolders[folderOf(from)]?.includes(folderOf(to)))
      .map(({ from, to, line }) => `${from}:${line} imports ${to}: ${serviceRemedy}`);
    expect(broken).toEqual([]);
  });

  it('are listed after those they import, so the table cannot contain a cycle', () => {
    const order = Object.keys(serviceFolders);
    const broken = order.flatMap((folder, index) =>
      serviceFolders[folder]
        .filter((imported) => !order.slice(0, index).includes(imported))
        .map((imported) => `${folder} imports ${imported}, which must stand above it`),
    );
    expect(broken).toEqual([]);
  });

  it('are all in the table, and the table names no others', () => {
    const there = new Set(files.filter(inside).map(folderOf));
    expect([...there].sort()).toEqual(Object.keys(serviceFolders).sort());
  });

  it('use all that the table allows them', () => {
    const used = new Set(
      imports
        .filter(({ from, to }) => inside(from) && inside(to))
        .map(({ from, to }) => `${folderOf(from)} imports ${folderOf(to)}`),
    );
    const unused = Object.entries(serviceFolders)
      .flatMap(([folder, allowed]) => allowed.map((other) => `${folder} imports ${other}`))
      .filter((edge) => !used.has(edge));
    expect(unused).toEqual([]);
  });
});

describe('SQL', () => {
  /** A tagged text, or a statement passed to a connection. */
  const pattern =
    /\bsql(\.raw\()?`|\bsql\.raw\(|\.query\(\s*['"`]|['"`]\s*(select\s.+\sfrom|insert into|update \w+ set|delete from)\s/i;
  const linesWithSql = (file: string) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((text, index) => (pattern.test(text) ? [`${file}:${index + 1}`] : []));
  const outside = files.filter(
    (file) =>
      /^src\/(service|cli)\//.test(file) && !sqlFolders.some((folder) => file.startsWith(folder)),
  );

  it('appears in repositories and migrations only', () => {
    const broken = outside
      .filter((file) => !Object.hasOwn(sqlExceptions, file))
      .flatMap(linesWithSql)
      .map((place) => `${place} holds SQL: make it a function of repositories/`);
    expect(broken).toEqual([]);
  });

  it('is found in every excepted file, so that unused exceptions are dropped', () => {
    const idle = Object.keys(sqlExceptions).filter((file) => linesWithSql(file).length === 0);
    expect(idle).toEqual([]);
    expect(linesWithSql('src/service/repositories/objects.ts').length).toBeGreaterThan(5);
  });
});

function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (file: string): string[] | null => {
    if (state.get(file) === 'done') return null;
    if (state.get(file) === 'open') return [...path.slice(path.indexOf(file)), file];
    state.set(file, 'open');
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle !== null) return cycle;
    }
    path.pop();
    state.set(file, 'done');
    return null;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle !== null) return cycle;
  }
  return [];
}
