/** A mapping without a program: columns become variables of the same name, texts become levels, `N` counts rows. */
import type { DataMapping, VariableSource } from '../formats/data-meta.ts';
import { reservedWords } from '../language/syntax/token.ts';
import { columnsOf } from './apply-mapping.ts';
import { type ColumnInfo, levelsOf, type Table } from './table.ts';

/** More row labels than this only make the data larger, unless requested. */
const mostRowLabels = 1000;

/** Never throws. `file`: its name. */
export function mapAllColumns(table: Table, file: string): DataMapping {
  const names = new Names();
  const variables: [string, VariableSource][] = [];
  const counts: [string, VariableSource][] = [];
  const rowLabels = rowLabelsOf(table);
  for (const column of table.info) {
    if (column.kind === 'empty' || column.name === rowLabels) continue;
    const source = sourceOf(table, column);
    const name = names.of(column.name);
    variables.push([name, source]);
    if (source.from === 'factor' && source.base === 1)
      counts.push([names.of(`N_${name}`), { from: 'levels', column: column.name }]);
  }
  const all = [[names.of('N'), { from: 'rows' }] as const, ...counts, ...variables];
  const used = new Set(all.flatMap(([, source]) => columnsOf(source)));
  const reading = table.reading(used);
  return {
    version: 1,
    file,
    variables: Object.fromEntries(all),
    missing: 'stop',
    rowLabels,
    ...(reading === undefined ? {} : { reading }),
  };
}

function sourceOf(table: Table, { name, kind }: ColumnInfo): VariableSource {
  if (kind !== 'text' && kind !== 'flag') return { from: 'column', column: name };
  const levels = levelsOf(table.cells(name) ?? []);
  return { from: 'factor', column: name, levels, base: kind === 'flag' ? 0 : 1 };
}

/** A text column without repeated values names the rows. */
function rowLabelsOf({ info, numRows }: Table): string | null {
  if (numRows > mostRowLabels) return null;
  const found = info.find(
    ({ kind, numLevels, numMissing }) =>
      kind === 'text' && numMissing === 0 && numLevels === numRows && numRows > 1,
  );
  return found?.name ?? null;
}

/** Names that a Stan program can declare, made unique. */
class Names {
  private readonly taken = new Set<string>();

  of(text: string): string {
    const plain = text.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
    const isName = /^[A-Za-z]/.test(plain) && !reservedWords.has(plain);
    const first = isName ? plain : `x_${plain}`.replace(/_$/, '');
    let name = first;
    for (let again = 2; this.taken.has(name); again++) name = `${first}_${again}`;
    this.taken.add(name);
    return name;
  }
}
