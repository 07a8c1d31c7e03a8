/** The possible sources of a variable, as the options of a select. */
import type { VariableSource } from '../../../formats/data-meta.ts';
import type { ColumnInfo } from '../../../mapping/table.ts';
import type { WantedVariable } from '../../../mapping/wanted.ts';

export interface Choice {
  /** `column:score`, `rows`, …: what {@link sourceOfChoice} reads. */
  readonly value: string;
  readonly label: string;
}

export interface ChoiceGroup {
  readonly group: string;
  readonly items: readonly Choice[];
}

/** Columns that hold the indices of levels: those that variables are mapped to as whole numbers. */
export function choicesOf(
  variable: WantedVariable,
  columns: readonly ColumnInfo[],
  mapped: Readonly<Record<string, VariableSource>>,
): readonly ChoiceGroup[] {
  const groups: ChoiceGroup[] = [];
  const { isInt, dims } = variable;
  const indices = indexColumns(mapped);
  if (dims.length === 1) {
    const numbers = columns.filter(({ kind }) => kind !== 'text' && kind !== 'empty');
    groups.push({ group: 'Columns', items: numbers.map(({ name }) => choice('column', name)) });
    if (isInt) {
      const items = columns
        .filter(({ kind }) => kind !== 'empty')
        .map(({ name }) => choice('factor', name, `${name} as levels`));
      groups.push({ group: 'Levels', items });
    }
    for (const by of indices) {
      const items = numbers
        .filter(({ name }) => name !== by)
        .map(({ name }) => choice('per-level', `${name}\n${by}`, `${name} of each ${by}`));
      groups.push({ group: `One for each ${by}`, items });
    }
  }
  if (dims.length === 0 && isInt) {
    const matrices = Object.entries(mapped).filter(([, { from }]) => from === 'columns');
    const levels = columns.filter(
      ({ name, kind }) => indices.has(name) || kind === 'text' || kind === 'flag',
    );
    groups.push({
      group: 'Counts',
      items: [
        { value: 'rows', label: 'Rows' },
        ...levels.map(({ name }) => choice('levels', name, `Levels of ${name}`)),
        ...matrices.map(([name]) => choice('width', name, `Columns of ${name}`)),
      ],
    });
  }
  groups.push({ group: 'Other', items: [{ value: 'value', label: 'A value…' }] });
  return groups.filter(({ items }) => items.length > 0);
}

const choice = (from: string, name: string, label = name): Choice => ({
  value: `${from}:${name}`,
  label,
});

function indexColumns(mapped: Readonly<Record<string, VariableSource>>): ReadonlySet<string> {
  return new Set(
    Object.values(mapped).flatMap((source) =>
      (source.from === 'factor' && source.base === 1) || source.from === 'levels'
        ? [source.column]
        : [],
    ),
  );
}

/** The option for a source; null: none of them (columns of a matrix). */
export function choiceOfSource(source: VariableSource | undefined): string | null {
  switch (source?.from) {
    case 'column':
    case 'factor':
    case 'levels':
      return `${source.from}:${source.column}`;
    case 'per-level':
      return `per-level:${source.column}\n${source.by}`;
    case 'width':
      return `width:${source.of}`;
    case 'rows':
    case 'value':
      return source.from;
    default:
      return null;
  }
}

/** The levels of a factor are filled in by the worker that has the table. */
export function sourceOfChoice(value: string, variable: WantedVariable): VariableSource | null {
  const at = value.indexOf(':');
  const from = at < 0 ? value : value.slice(0, at);
  const [column = '', by = ''] = at < 0 ? [] : value.slice(at + 1).split('\n');
  switch (from) {
    case 'column':
    case 'levels':
      return { from, column };
    case 'factor':
      return { from, column, levels: [], base: variable.lower === 0 ? 0 : 1 };
    case 'per-level':
      return { from, column, by };
    case 'width':
      return { from, of: column };
    case 'rows':
      return { from };
    case 'value':
      return { from, value: 0 };
    default:
      return null;
  }
}
