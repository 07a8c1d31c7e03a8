/** Reads the sources of a mapping from a table's selected rows. */
import type { DataMapping, VariableSource } from '../formats/data-meta.ts';
import { err, ok, type Result } from '../shared/result.ts';
import { cellNumber, kindOfReading } from './cell-reading.ts';
import { levelsOf, type Table } from './table.ts';

/** Values in JSON form, or sentences saying what is wrong. */
type Read<T = unknown> = Result<T, readonly string[]>;

const shownFaults = 3;

export class ColumnReader {
  /** Indices of the selected rows: those without a missing value in a mapped column. */
  readonly rows: readonly number[];
  private readonly numbers = new Map<string, Read<readonly number[]>>();

  constructor(
    private readonly table: Table,
    incomplete: ReadonlySet<number>,
    private readonly mapping: DataMapping,
  ) {
    const rows: number[] = [];
    for (let row = 0; row < table.numRows; row++) if (!incomplete.has(row)) rows.push(row);
    this.rows = rows;
  }

  read(source: VariableSource): Read {
    switch (source.from) {
      case 'column':
        return json(this.column(source.column));
      case 'factor':
        return this.factor(source.column, source.levels, source.base);
      case 'per-level':
        return this.perLevel(source.column, source.by);
      case 'columns':
        return this.matrix(source.columns, source.transposed);
      case 'rows':
        return ok(this.rows.length);
      case 'levels':
        return this.numLevels(source.column);
      case 'value':
        return ok(source.value);
      // Counted once the other variable is known.
      case 'width':
        return err([]);
    }
  }

  /** Texts of a column in the selected rows; null: there is no such column. */
  texts(name: string): readonly string[] | null {
    const cells = this.table.cells(name);
    return cells === undefined ? null : this.rows.map((row) => cells[row]);
  }

  private column(name: string): Read<readonly number[]> {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const cells = this.table.cells(name) ?? [];
    const info = this.table.info.find((column) => column.name === name);
    const reading = info?.reading ?? null;
    const faults: string[] = [];
    let numFaults = 0;
    const values = this.rows.map((row) => {
      const cell = cells[row];
      const number =
        info?.kind === 'flag' ? flagOf(cell) : cellNumber(cell, reading, this.table.style);
      if (Number.isNaN(number) && numFaults++ < shownFaults)
        faults.push(
          `Row ${this.table.rowNumber(row)} of “${name}” is ${quoted(cell)}, ${kindOfReading(reading)}.`,
        );
      return number;
    });
    if (numFaults > shownFaults)
      faults.push(
        `${numFaults - shownFaults} more cells of “${name}” are ${reading === null ? 'not numbers' : 'like this'}.`,
      );
    const read = numFaults > 0 ? err(faults) : ok(values);
    this.numbers.set(name, read);
    return read;
  }

  private factor(name: string, levels: readonly string[], base: number): Read<number[]> {
    const places = new Map(levels.map((level, place) => [level, place + base]));
    const cells = this.table.cells(name) ?? [];
    const values: number[] = [];
    for (const row of this.rows) {
      const place = places.get(cells[row]);
      if (place === undefined) {
        const where = `Row ${this.table.rowNumber(row)} of “${name}”`;
        return err([`${where} is ${quoted(cells[row])}, which is not among the levels.`]);
      }
      values.push(place);
    }
    return ok(values);
  }

  /** Position of each row among the levels of a column, from 1. */
  private places(name: string): Read<{ places: readonly number[]; names: readonly string[] }> {
    const factor = this.factorOf(name);
    if (factor === null) {
      const numbers = this.column(name);
      if (!numbers.ok) return numbers;
      const count = largest(numbers.value);
      if (numbers.value.some((n) => !Number.isInteger(n) || n < 1))
        return err([
          `“${name}” must hold whole numbers of at least 1 so that its levels can be counted.`,
        ]);
      const names = Array.from({ length: Math.min(count, 1e6) }, (_, i) => String(i + 1));
      return ok({ places: numbers.value, names });
    }
    const places = this.factor(name, factor, 1);
    return places.ok ? ok({ places: places.value, names: factor }) : places;
  }

  /** Levels of a column that is mapped as a factor, or of texts; null: it is read as numbers. */
  private factorOf(name: string): readonly string[] | null {
    const sources = Object.values(this.mapping.variables);
    for (const source of sources)
      if (source.from === 'factor' && source.column === name && source.base === 1)
        return source.levels;
    const isNumber = sources.some((source) => source.from === 'column' && source.column === name);
    if (isNumber) return null;
    return levelsOf(this.texts(name) ?? []);
  }

  private numLevels(name: string): Read<number> {
    const levels = this.factorOf(name);
    if (levels !== null) return ok(levels.length);
    const numbers = this.column(name);
    return numbers.ok ? ok(largest(numbers.value)) : numbers;
  }

  private perLevel(name: string, by: string): Read {
    const values = this.column(name);
    const levels = this.places(by);
    if (!values.ok) return values;
    if (!levels.ok) return levels;
    const { places, names } = levels.value;
    const found = new Map<number, { value: number; row: number }>();
    for (const [i, place] of places.entries()) {
      const row = this.table.rowNumber(this.rows[i]);
      const before = found.get(place);
      if (before === undefined) found.set(place, { value: values.value[i], row });
      else if (before.value !== values.value[i])
        return err([
          `“${name}” differs within ${by} “${names[place - 1]}”: ${before.value} in row ${before.row}, ${values.value[i]} in row ${row}.`,
        ]);
    }
    const absent = names.find((_, i) => !found.has(i + 1));
    if (absent !== undefined)
      return err([`No row has ${by} “${absent}”, so “${name}” is unknown there.`]);
    return json(ok(names.map((_, i) => found.get(i + 1)?.value ?? Number.NaN)));
  }

  private matrix(names: readonly string[], isTransposed: boolean): Read {
    const columns: (readonly (number | string)[])[] = [];
    const faults: string[] = [];
    for (const name of names) {
      const read = json(this.column(name));
      if (read.ok) columns.push(read.value);
      else faults.push(...read.error);
    }
    if (faults.length > 0) return err(faults);
    if (isTransposed) return ok(columns);
    return ok(this.rows.map((_, row) => columns.map((column) => column[row])));
  }
}

const largest = (numbers: readonly number[]) =>
  numbers.reduce((most, n) => (n > most ? n : most), 0);

const flagOf = (cell: string) => (/^[ty]/i.test(cell) ? 1 : 0);

const quoted = (cell: string) => `“${cell.length > 30 ? `${cell.slice(0, 29)}…` : cell}”`;

/** JSON has no infinity: texts that readers of Stan data accept represent it. */
function json(read: Read<readonly number[]>): Read<readonly (number | string)[]> {
  if (!read.ok || read.value.every(Number.isFinite)) return read;
  return ok(read.value.map((n) => (Number.isFinite(n) ? n : n > 0 ? 'Inf' : '-Inf')));
}
