/**
 * The table `src/contract/documented-items.md`: each documented item with a test that mentions it.
 *
 *   npx tsx tests/conformance/table.ts        rewrites it
 */
import fs from 'node:fs';
import path from 'node:path';
import { type DocumentedGroup, documented } from './documented.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = path.join(root, 'src/contract/documented-items.md');
const folders = ['tests/conformance', 'tests/service', 'tests/security', 'tests/cli'];
const head = `# Documented items and their tests

Made by \`npx tsx tests/conformance/table.ts\`; a test compares it. [D]: in the API document; [P]: what public clients do or
expect; [us]: ours, announced as a capability.
`;

export interface TestBlock {
  /** From the root, without `tests/`. */
  readonly file: string;
  readonly title: string;
  readonly text: string;
}

/** Every `it` in the folders, and every row of the case tables. */
export function readTestBlocks(): TestBlock[] {
  const self = new Set(['documented.ts', 'documented.test.ts', 'table.ts', 'plain-client.ts']);
  return folders
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(folder, name)),
    )
    .filter((file) => file.endsWith('.ts') && !self.has(path.basename(file)))
    .sort()
    .flatMap((file) => blocksOf(file, fs.readFileSync(path.join(root, file), 'utf8')));
}

const startOfTest = /^(\s*)(?:it|test)(?:\.each\(.*\))?\(\s*(?:(['"`])(.*?)\2)?/;
const startOfCase = /^( {2})(\w+): (?:\{|\w+\()$/;

function blocksOf(file: string, source: string): TestBlock[] {
  const isTable = path.basename(file).startsWith('cases');
  const lines = source.split('\n');
  const blocks: TestBlock[] = [];
  for (const [at, line] of lines.entries()) {
    const start = isTable ? startOfCase.exec(line) : startOfTest.exec(line);
    if (start === null) continue;
    const indent = start[1].length;
    const length = lines
      .slice(at + 1)
      .findIndex((next) => next.trim() !== '' && next.search(/\S/) <= indent);
    const text = lines.slice(at, length < 0 ? undefined : at + 1 + length + 1).join('\n');
    const title = isTable ? start[2] : (start[3] ?? firstTitle(text));
    const name = isTable ? 'conformance/endpoints.test.ts' : file.replace(/^tests\//, '');
    blocks.push({ file: name, title, text });
  }
  return blocks;
}

/** A title on the line after `it(`. */
function firstTitle(text: string): string {
  return /['"`](.+?)['"`]/.exec(text.split('\n').slice(1).join('\n'))?.[1] ?? '';
}

/** The tests that mention the item as a separate word. */
function findTests(
  blocks: readonly TestBlock[],
  item: string,
  { context }: DocumentedGroup,
): TestBlock[] {
  const escaped = item.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const word = new RegExp(`(?<![\\w.])${escaped}(?![\\w])`);
  return blocks.filter(
    ({ text, file }) => word.test(text) && (context === undefined || context.test(file + text)),
  );
}

/** The shortest of them, conformance tests first; null = none. */
export function findTest(
  blocks: readonly TestBlock[],
  item: string,
  group: DocumentedGroup,
): TestBlock | null {
  const found = findTests(blocks, item, group);
  const rank = ({ file, text }: TestBlock) =>
    text.length + (file.startsWith('conformance') ? 0 : 1_000_000);
  return found.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

const cellOf = ({ file, title }: TestBlock) => `${file}: ${title.replaceAll('|', '\\|')}`;

/**
 * The table; a row of `current` stays while its test still mentions its item, so that a new test changes no row.
 */
export function renderTable(blocks: readonly TestBlock[], current: string): string {
  const sections = documented.map((group) => {
    const title = `### ${group.title} [${group.mark}]`;
    const earlier = current.split(`${title}\n`)[1]?.split('\n#')[0] ?? '';
    const rows = group.items.map((item) => {
      const kept = findTests(blocks, item, group)
        .map((test) => `| \`${item}\` | ${cellOf(test)} |`)
        .find((row) => earlier.split('\n').includes(row));
      if (kept !== undefined) return kept;
      const test = findTest(blocks, item, group);
      return `| \`${item}\` | ${test === null ? 'none' : cellOf(test)} |`;
    });
    return [title, '', '| item | test |', '|---|---|', ...rows].join('\n');
  });
  return sections.join('\n\n');
}

/** The whole page. */
export const pageOf = (table: string) => `${head}\n${table}\n`;

export const readPage = () => fs.readFileSync(page, 'utf8');

if (process.argv[1] === import.meta.filename)
  fs.writeFileSync(page, pageOf(renderTable(readTestBlocks(), readPage())));
