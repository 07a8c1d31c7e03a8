/** Adapts an earlier mapping to another file: levels keep their numbers, and new ones follow them. */
import type {
  ColumnReading,
  DataMapping,
  TableReading,
  VariableSource,
} from '../formats/data-meta.ts';
import { isMissing } from './number-style.ts';
import { type ColumnInfo, levelsOf, type Table } from './table.ts';

export interface RefreshedMapping {
  readonly mapping: DataMapping;
  /** Differences in this file, as sentences. */
  readonly notes: readonly string[];
}

const shownLevels = 4;

export function refreshMapping(table: Table, mapping: DataMapping): RefreshedMapping {
  const notes = new Set<string>();
  const reading = refreshedReading(table, mapping.reading, notes);
  const variables = Object.entries(mapping.variables).map(
    ([name, source]) => [name, refreshed(table, source, notes)] as const,
  );
  const { reading: _, ...kept } = mapping;
  return {
    mapping: {
      ...kept,
      variables: Object.fromEntries(variables),
      ...(reading === undefined ? {} : { reading }),
    },
    notes: [...notes],
  };
}

/** Days are counted from the same day as before; the decimal comma stays unless the file itself decides. */
function refreshedReading(
  table: Table,
  before: TableReading | undefined,
  notes: Set<string>,
): TableReading | undefined {
  if (before === undefined && table.sheet === null) return undefined;
  const { sheet = null, decimal = null, columns = {} } = before ?? {};
  if (sheet !== null && table.sheet !== null && sheet !== table.sheet)
    notes.add(`There is no sheet “${sheet}” in this file: “${table.sheet}” is read instead.`);
  const readings = Object.entries(columns).map(([name, reading]) => {
    const column = table.info.find((info) => info.name === name);
    return [name, column === undefined ? reading : readingHere(reading, column, notes)] as const;
  });
  return {
    sheet: table.sheet,
    decimal: table.isOpen ? decimal : null,
    columns: Object.fromEntries(readings),
  };
}

/** Dates may be written differently here: this file decides their order, unless it shows none. */
function readingHere(before: ColumnReading, column: ColumnInfo, notes: Set<string>): ColumnReading {
  const { name, guessed, isOrderOpen } = column;
  if (before.as === 'date' && guessed?.as === 'date') {
    const isKept = isOrderOpen && before.order !== 'ymd';
    return { ...before, order: isKept ? before.order : guessed.order };
  }
  if (
    guessed !== null &&
    guessed.as !== before.as &&
    before.as !== 'text' &&
    before.as !== 'number'
  )
    notes.add(
      `“${name}” was read as ${asText(before.as)}, but looks like ${asText(guessed.as)} here.`,
    );
  return before;
}

const asText = (as: ColumnReading['as']) =>
  ({
    number: 'numbers',
    text: 'text',
    percent: 'percentages',
    currency: 'amounts of money',
    date: 'dates',
  })[as];

function refreshed(table: Table, source: VariableSource, notes: Set<string>): VariableSource {
  if (source.from !== 'factor') return source;
  const { column, levels: before } = source;
  const cells = table.cells(column);
  if (cells === undefined) return source;
  const there = new Set(cells.filter((cell) => !isMissing(cell)));
  const kept = before.filter((level) => there.has(level));
  if (kept.length === 0 || source.base === 0) {
    const known = new Set(before);
    const isSame = [...there].every((level) => known.has(level));
    return { ...source, levels: isSame ? before : levelsOf(cells) };
  }
  const known = new Set(before);
  const added = levelsOf(cells).filter((level) => !known.has(level));
  const gone = before.filter((level) => !there.has(level));
  if (added.length > 0) notes.add(`New levels of “${column}”: ${listed(added)}.`);
  if (gone.length > 0)
    notes.add(`Levels of “${column}” without a row here keep their numbers: ${listed(gone)}.`);
  return { ...source, levels: [...before, ...added] };
}

function listed(levels: readonly string[]): string {
  const shown = levels.slice(0, shownLevels).join(', ');
  return levels.length > shownLevels ? `${shown} and ${levels.length - shownLevels} more` : shown;
}
