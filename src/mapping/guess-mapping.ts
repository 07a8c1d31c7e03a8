/** A mapping guessed from names, types, sizes and bounds in a data block; an earlier mapping takes precedence. */
import type { DataMapping, VariableSource } from '../formats/data-meta.ts';
import { columnsOf } from './apply-mapping.ts';
import { likeness, numbered } from './name-match.ts';
import { refreshMapping } from './refresh-mapping.ts';
import { type ColumnInfo, levelsOf, type Table } from './table.ts';
import type { Extent, WantedVariable } from './wanted.ts';

export interface GuessOptions {
  /** Name of the file. */
  readonly file: string;
  /** How an earlier file was mapped. */
  readonly earlier?: DataMapping | null;
}

/** Variables without a source are left out. Never throws. */
export function guessMapping(
  opened: Table,
  wanted: readonly WantedVariable[],
  { file, earlier = null }: GuessOptions,
): DataMapping {
  const refreshed = earlier === null ? null : refreshMapping(opened, earlier).mapping;
  const table = refreshed === null ? opened : opened.read(refreshed.reading);
  const guess = new Guess(table, wanted);
  if (refreshed !== null) guess.takeEarlier(refreshed);
  guess.byName();
  guess.indices();
  guess.matrices();
  guess.perLevel();
  guess.lastOne();
  guess.scalars();
  const labels = earlier?.rowLabels ?? null;
  const isThere = labels !== null && table.cells(labels) !== undefined;
  const variables = guess.variables();
  const used = new Set(Object.values(variables).flatMap(columnsOf));
  const reading = table.reading(used);
  return {
    version: 1,
    file,
    variables,
    missing: earlier?.missing ?? 'stop',
    rowLabels: isThere ? labels : guess.rowLabels(),
    ...(reading === undefined ? {} : { reading }),
  };
}

/** More row labels than this only make the data larger, unless requested. */
const mostRowLabels = 1000;

/** Below this, names are not considered similar. */
const leastLikeness = 40;

const isNumeric = ({ kind }: ColumnInfo) =>
  kind === 'integer' || kind === 'number' || kind === 'date' || kind === 'flag';

class Guess {
  private readonly sources = new Map<string, VariableSource>();
  private readonly taken = new Set<string>();
  /** Names that bound an index: the number of levels. */
  private readonly levelSizes: ReadonlySet<string>;
  private readonly rowSize: Extent;

  constructor(
    private readonly table: Table,
    private readonly wanted: readonly WantedVariable[],
  ) {
    const scalars = new Set(
      wanted.filter(({ isInt, dims }) => isInt && dims.length === 0).map(({ name }) => name),
    );
    const bounds = this.vectors().flatMap(({ isInt, upper }) =>
      isInt && typeof upper === 'string' && scalars.has(upper) ? [upper] : [],
    );
    this.levelSizes = new Set(bounds);
    this.rowSize = this.guessRowSize();
  }

  variables(): Record<string, VariableSource> {
    return Object.fromEntries(
      this.wanted.flatMap(({ name }) => {
        const source = this.sources.get(name);
        return source === undefined ? [] : [[name, source]];
      }),
    );
  }

  takeEarlier(earlier: DataMapping): void {
    for (const { name } of this.wanted) {
      const source = Object.hasOwn(earlier.variables, name) ? earlier.variables[name] : undefined;
      if (source === undefined) continue;
      if (columnsOf(source).some((column) => this.table.cells(column) === undefined)) continue;
      this.take(name, source);
    }
  }

  /** The most similar pairs first. */
  byName(): void {
    const pairs = this.open()
      .filter(({ dims }) => dims.length === 1)
      .flatMap((variable) =>
        this.table.info.map((column) => ({
          variable,
          column,
          score: this.score(variable, column),
        })),
      )
      .filter(({ score }) => score >= leastLikeness)
      .sort((a, b) => b.score - a.score);
    for (const { variable, column } of pairs) {
      if (this.sources.has(variable.name) || this.taken.has(column.name)) continue;
      if (this.isOfLevels(variable)) continue;
      this.take(variable.name, this.sourceOf(variable, column));
    }
  }

  /** Indices without a column of the same name: by the first letter, or the only remaining text column. */
  indices(): void {
    for (const variable of this.open()) {
      const { name, upper, dims } = variable;
      if (!variable.isInt || dims.length !== 1 || typeof upper !== 'string') continue;
      const free = this.free().filter(
        ({ kind, numLevels }) =>
          (kind === 'text' || kind === 'integer') && numLevels < this.table.numRows,
      );
      const initial = free.filter(
        (column) => column.name.charAt(0).toLowerCase() === name.charAt(0).toLowerCase(),
      );
      const texts = free.filter(({ kind }) => kind === 'text');
      const found = [initial, texts].find((some) => some.length === 1)?.[0];
      if (found !== undefined) this.take(name, this.sourceOf(variable, found));
    }
  }

  /** Columns X1, X2, … or, if one matrix is wanted, all remaining numeric columns. */
  matrices(): void {
    const open = this.open().filter(({ dims }) => dims.length === 2);
    for (const variable of open) {
      const parts = this.free()
        .filter(isNumeric)
        .flatMap(({ name }) => {
          const part = numbered(name);
          return part !== null && likeness(variable.name, part.stem) >= 70
            ? [{ name, number: part.number }]
            : [];
        })
        .sort((a, b) => a.number - b.number);
      const numbers = new Set(this.open().flatMap(({ dims }) => (dims.length === 1 ? [1] : [])));
      const rest = open.length === 1 && numbers.size === 0 ? this.free().filter(isNumeric) : [];
      const columns = (parts.length > 0 ? parts : rest).map(({ name }) => name);
      if (columns.length === 0) continue;
      const { dims } = variable;
      const transposed = dims[0] !== this.rowSize && dims[1] === this.rowSize;
      this.take(variable.name, { from: 'columns', columns, transposed });
    }
  }

  /** `vector[J] u` in a table of N rows: one value per level of the index that J bounds. */
  perLevel(): void {
    for (const variable of this.open()) {
      if (!this.isOfLevels(variable)) continue;
      const by = this.indexColumn(variable.dims[0]);
      const best = this.table.info
        .filter((column) => column.name !== by && isNumeric(column))
        .map((column) => ({ column, score: this.score(variable, column) }))
        .filter(({ score }) => score >= leastLikeness)
        .sort((a, b) => b.score - a.score)[0];
      if (by === null || best === undefined) continue;
      this.take(variable.name, { from: 'per-level', column: best.column.name, by });
    }
  }

  /** One variable and one matching column are left: they belong together. */
  lastOne(): void {
    const open = this.open().filter(
      ({ dims }) => dims.length === 1 && (dims[0] === this.rowSize || this.rowSize === null),
    );
    const [variable] = open;
    if (open.length !== 1 || variable === undefined) return;
    const free = this.free().filter((column) => this.score(variable, column, 50) > 0);
    if (free.length === 1) this.take(variable.name, this.sourceOf(variable, free[0]));
  }

  scalars(): void {
    for (const { name, isInt, dims } of this.open()) {
      if (dims.length > 0) continue;
      const source = (isInt ? this.countOf(name) : null) ?? this.constantOf(name);
      if (source !== null) this.take(name, source);
    }
  }

  /** A text column without repeated values names the rows. */
  rowLabels(): string | null {
    if (this.table.numRows > mostRowLabels) return null;
    const found = this.free().filter(
      ({ kind, numLevels, numMissing }) =>
        kind === 'text' && numMissing === 0 && numLevels === this.table.numRows,
    );
    return found[0]?.name ?? null;
  }

  private countOf(name: string): VariableSource | null {
    const matrix = this.wanted.find(
      (variable) =>
        variable.dims.length === 2 &&
        variable.dims.includes(name) &&
        name !== this.rowSize &&
        this.sources.get(variable.name)?.from === 'columns',
    );
    if (matrix !== undefined) return { from: 'width', of: matrix.name };
    const column = this.indexColumn(name);
    if (column !== null) return { from: 'levels', column };
    if (name === this.rowSize) return { from: 'rows' };
    if (this.rowSize === null && /^n(?:_?obs|_?rows)?$/i.test(name)) return { from: 'rows' };
    return this.looseCount(name);
  }

  /** A count that bounds nothing: the levels of the factor with its name, or of the only factor. */
  private looseCount(name: string): VariableSource | null {
    const isSize = this.wanted.some(({ dims }) => dims.includes(name));
    const factors = [...this.sources.values()].filter(
      (source) => source.from === 'factor' && source.base === 1,
    );
    const columns = factors.flatMap(columnsOf);
    const named = columns.filter((column) => likeness(name, column) >= leastLikeness);
    const [column] = named.length > 0 ? named : isSize ? [] : columns;
    const isOnly = named.length === 1 || (named.length === 0 && columns.length === 1);
    return column !== undefined && isOnly ? { from: 'levels', column } : null;
  }

  /** A column of that name with the same value in all rows. */
  private constantOf(name: string): VariableSource | null {
    const column = this.table.info.find((info) => likeness(name, info.name) >= 70);
    if (column === undefined || !isNumeric(column) || column.min === null) return null;
    return column.numLevels === 1 && column.numMissing === 0
      ? { from: 'value', value: column.min }
      : null;
  }

  /** The column of the index that a size bounds. */
  private indexColumn(size: Extent | undefined): string | null {
    if (typeof size !== 'string') return null;
    for (const { name, isInt, upper, dims } of this.wanted) {
      const source = this.sources.get(name);
      if (!isInt || upper !== size || dims.length !== 1 || source === undefined) continue;
      if (source.from === 'column' || source.from === 'factor') return source.column;
    }
    return null;
  }

  private sourceOf({ isInt, lower, upper }: WantedVariable, column: ColumnInfo): VariableSource {
    const { name, kind, min, max, numLevels } = column;
    if (!isInt) return { from: 'column', column: name };
    const isIndex = typeof upper === 'string' && this.levelSizes.has(upper);
    const isCounted = kind === 'integer' && min === 1 && max === numLevels;
    if (kind !== 'text' && kind !== 'flag' && (!isIndex || isCounted))
      return { from: 'column', column: name };
    const levels = levelsOf(this.table.cells(name) ?? []);
    const isBinary = lower === 0 && upper === 1;
    return { from: 'factor', column: name, levels, base: isBinary || lower === 0 ? 0 : 1 };
  }

  /** 0: the column cannot be that variable. `floor`: the score of columns with a different name. */
  private score(variable: WantedVariable, column: ColumnInfo, floor = 0): number {
    if (column.kind === 'empty') return 0;
    if (!variable.isInt && !isNumeric(column)) return 0;
    if (variable.isInt && column.kind === 'number') return 0;
    if (variable.isInt && column.kind === 'date' && !column.isWhole) return 0;
    return Math.max(floor, likeness(variable.name, column.name));
  }

  /** Its size counts levels, not rows. */
  private isOfLevels({ dims }: WantedVariable): boolean {
    const [size] = dims;
    return (
      dims.length === 1 &&
      typeof size === 'string' &&
      size !== this.rowSize &&
      this.levelSizes.has(size)
    );
  }

  private vectors(): readonly WantedVariable[] {
    return this.wanted.filter(({ dims }) => dims.length === 1);
  }

  /** The size of indices, otherwise the size shared by most vectors. */
  private guessRowSize(): Extent {
    const counts = new Map<Extent, number>();
    for (const { dims, isInt, upper } of this.wanted) {
      const isIndex = isInt && typeof upper === 'string' && this.levelSizes.has(upper);
      for (const [place, size] of dims.slice(0, 2).entries()) {
        if (size === null) continue;
        // A constant is rarely a count of rows, and the second size is rarely the number of rows.
        const weight = (typeof size === 'string' ? 1 : 0.3) * (place === 0 ? 1 : 0.4);
        counts.set(size, (counts.get(size) ?? 0) + (isIndex ? 100 : weight));
      }
    }
    const [best] = [...counts].sort((a, b) => b[1] - a[1]);
    return best?.[0] ?? null;
  }

  private open(): readonly WantedVariable[] {
    return this.wanted.filter(({ name }) => !this.sources.has(name));
  }

  private free(): readonly ColumnInfo[] {
    return this.table.info.filter(({ name, kind }) => kind !== 'empty' && !this.taken.has(name));
  }

  private take(name: string, source: VariableSource): void {
    this.sources.set(name, source);
    for (const column of columnsOf(source)) this.taken.add(column);
  }
}
