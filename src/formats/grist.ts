/** Writes tables as a Grist document: an SQLite file with the tables in which Grist describes pages and columns. */
import type { Database, SqlJsStatic, Statement } from 'sql.js';
import { emptyDocument } from './grist-schema.ts';

export type GristType = 'Text' | 'Int' | 'Numeric' | 'Bool';

export interface GristColumn {
  /** The label that people see; Grist's identifier is derived from it. */
  readonly label: string;
  readonly type: GristType;
}

export interface GristTable {
  /** Letters only, the first one a capital: it is both the identifier and the page's name. */
  readonly name: string;
  readonly columns: readonly GristColumn[];
}

export type GristCell = string | number | null;

export interface GristTableWriter {
  /** NaN becomes an empty cell: SQLite has none. */
  addRow(cells: readonly GristCell[]): void;
  /** Must be called before the next table begins. */
  end(): void;
}

export interface GristWriter {
  table(table: GristTable): GristTableWriter;
  /** Returns the document; the writer must not be used afterwards. */
  finish(): Uint8Array;
  /** Releases the memory if the document is no longer wanted. */
  discard(): void;
}

/** SQLite's limit of columns per table, minus Grist's own columns. */
export const MOST_GRIST_COLUMNS = 1900;

/** `sql` is the library, loaded by the caller, who knows where its WebAssembly is. */
export function createGristWriter(sql: SqlJsStatic): GristWriter {
  const db = new sql.Database();
  db.exec(emptyDocument());
  let numTables = 0;
  let isOpen = true;
  return {
    table(table) {
      numTables += 1;
      return openTable(db, table, numTables);
    },
    finish() {
      const bytes = db.export();
      db.close();
      isOpen = false;
      return bytes;
    },
    discard() {
      if (isOpen) db.close();
      isOpen = false;
    },
  };
}

const sqlTypes: Readonly<Record<GristType, string>> = {
  Text: "TEXT DEFAULT ''",
  Int: 'INTEGER DEFAULT 0',
  Numeric: 'NUMERIC DEFAULT 0',
  Bool: 'BOOLEAN DEFAULT 0',
};

function openTable(db: Database, { name, columns }: GristTable, number: number): GristTableWriter {
  const ids = columnIds(columns.map((column) => column.label));
  const specs = columns.map((column, i) => `"${ids[i]}" ${sqlTypes[column.type]}`);
  db.run(
    `CREATE TABLE "${name}" (id INTEGER PRIMARY KEY, manualSort NUMERIC DEFAULT 1e999, ${specs.join(', ')})`,
  );
  describeTable(db, { name, columns, ids, number });
  const places = ['?', '?', ...ids.map(() => '?')].join(', ');
  const insert: Statement = db.prepare(`INSERT INTO "${name}" VALUES (${places})`);
  let row = 0;
  db.run('BEGIN');
  return {
    addRow(cells) {
      row += 1;
      insert.run([row, row, ...cells.map((cell) => (Number.isNaN(cell) ? null : cell))]);
    },
    end() {
      insert.free();
      db.run('COMMIT');
    },
  };
}

interface Description extends GristTable {
  readonly ids: readonly string[];
  /** From 1: also the number of its view and of its page. */
  readonly number: number;
}

/** A page with one grid, and the grid of the raw data. */
function describeTable(db: Database, { name, columns, ids, number }: Description): void {
  const grid = 2 * number - 1;
  const raw = 2 * number;
  db.run(
    'INSERT INTO _grist_Tables (id, tableId, primaryViewId, rawViewSectionRef) VALUES (?, ?, ?, ?)',
    [number, name, number, raw],
  );
  db.run('INSERT INTO _grist_Views (id, name, type) VALUES (?, ?, ?)', [number, name, 'raw_data']);
  db.run('INSERT INTO _grist_Pages (viewRef, indentation, pagePos) VALUES (?, 0, ?)', [
    number,
    number,
  ]);
  db.run('INSERT INTO _grist_TabBar (viewRef, tabPos) VALUES (?, ?)', [number, number]);
  for (const [section, view] of [
    [grid, number],
    [raw, 0],
  ])
    db.run(
      `INSERT INTO _grist_Views_section (id, tableRef, parentId, parentKey, defaultWidth, borderWidth, sortColRefs)
        VALUES (?, ?, ?, 'record', 100, 1, ?)`,
      [section, number, view, view === 0 ? '' : '[]'],
    );
  const insertColumn = db.prepare(
    'INSERT INTO _grist_Tables_column (parentId, parentPos, colId, type, label, untieColIdFromLabel) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertField = db.prepare(
    'INSERT INTO _grist_Views_section_field (parentId, parentPos, colRef) VALUES (?, ?, ?)',
  );
  insertColumn.run([number, 0, 'manualSort', 'ManualSortPos', 'manualSort', 0]);
  for (const [i, { label, type }] of columns.entries()) {
    // If tied to the label, Grist would rename the column as soon as somebody edits it.
    insertColumn.run([number, i + 1, ids[i], type, label, ids[i] === label ? 0 : 1]);
    const reference = db.exec('SELECT last_insert_rowid()')[0].values[0][0];
    for (const section of [grid, raw]) insertField.run([section, i + 1, reference]);
  }
  insertColumn.free();
  insertField.free();
}

/** Reserved words of Grist's formulas, which are Python. */
const RESERVED = new Set(
  `and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield none true false id manualsort rec value user table
  date time`.split(/\s+/),
);

/** Identifiers for labels: ASCII letters, digits and `_`, starting with a letter, unique even if case is ignored. */
export function columnIds(labels: readonly string[]): string[] {
  const used = new Set<string>(RESERVED);
  return labels.map((label) => {
    const plain = label
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, 100);
    const base = /^[A-Za-z]/.test(plain) ? plain : `c${plain === '' ? '' : `_${plain}`}`;
    let id = base;
    for (let n = 2; used.has(id.toLowerCase()); n++) id = `${base}_${n}`;
    used.add(id.toLowerCase());
    return id;
  });
}
