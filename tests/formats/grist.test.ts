/** Grist documents: tables, their descriptions, and identifiers that Grist accepts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import initSqlJs from 'sql.js';
import { afterAll, describe, expect, it } from 'vitest';
import { columnIds, createGristWriter } from '../../src/formats/grist.ts';
import { itWith } from '../support/needs.ts';
import { sqlite } from '../support/python.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-grist-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function document() {
  const sql = await initSqlJs();
  const writer = createGristWriter(sql);
  const first = writer.table({
    name: 'Draws',
    columns: [
      { label: 'Chain', type: 'Text' },
      { label: 'theta[1,2]', type: 'Numeric' },
      { label: 'θ', type: 'Numeric' },
    ],
  });
  first.addRow(['chain#1', 0.1, -1e-300]);
  first.addRow(["it's", NaN, Infinity]);
  first.end();
  const second = writer.table({ name: 'Run', columns: [{ label: 'Name', type: 'Text' }] });
  second.addRow(['a']);
  second.end();
  return { sql, bytes: writer.finish() };
}

describe('a document', () => {
  it('keeps every number to the last bit, with an empty cell for NaN', async () => {
    const { sql, bytes } = await document();
    const db = new sql.Database(bytes);
    expect(db.exec('select * from Draws')[0].values).toEqual([
      [1, 1, 'chain#1', 0.1, -1e-300],
      [2, 2, "it's", null, Infinity],
    ]);
    db.close();
  });

  it('describes each table, its pages and its columns in the tables that Grist reads', async () => {
    const sql = await initSqlJs();
    const writer = createGristWriter(sql);
    const columns = [
      { label: 'Chain', type: 'Text' },
      { label: 'n', type: 'Int' },
      { label: 'theta[1]', type: 'Numeric' },
      { label: 'ok', type: 'Bool' },
    ] as const;
    writer.table({ name: 'Draws', columns }).end();
    writer.table({ name: 'Run', columns: columns.slice(0, 1) }).end();
    const db = new sql.Database(writer.finish());
    const rows = (query: string) => db.exec(query)[0]?.values;
    expect(rows('select * from _grist_Tables')).toEqual([
      [1, 'Draws', 1, 0, 0, 2],
      [2, 'Run', 2, 0, 0, 4],
    ]);
    expect(rows('select id, name, type, layoutSpec from _grist_Views')).toEqual([
      [1, 'Draws', 'raw_data', ''],
      [2, 'Run', 'raw_data', ''],
    ]);
    expect(rows('select * from _grist_Pages')).toEqual([
      [1, 1, 0, 1],
      [2, 2, 0, 2],
    ]);
    expect(rows('select viewRef, tabPos from _grist_TabBar')).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(
      rows(
        `select id, tableRef, parentId, parentKey, defaultWidth, borderWidth, sortColRefs
         from _grist_Views_section`,
      ),
    ).toEqual([
      [1, 1, 1, 'record', 100, 1, '[]'],
      [2, 1, 0, 'record', 100, 1, ''],
      [3, 2, 2, 'record', 100, 1, '[]'],
      [4, 2, 0, 'record', 100, 1, ''],
    ]);
    expect(
      rows(
        `select id, parentId, parentPos, colId, type, label, untieColIdFromLabel, isFormula
         from _grist_Tables_column`,
      ),
    ).toEqual([
      [1, 1, 0, 'manualSort', 'ManualSortPos', 'manualSort', 0, 0],
      [2, 1, 1, 'Chain', 'Text', 'Chain', 0, 0],
      [3, 1, 2, 'n', 'Int', 'n', 0, 0],
      [4, 1, 3, 'theta_1', 'Numeric', 'theta[1]', 1, 0],
      [5, 1, 4, 'ok', 'Bool', 'ok', 0, 0],
      [6, 2, 0, 'manualSort', 'ManualSortPos', 'manualSort', 0, 0],
      [7, 2, 1, 'Chain', 'Text', 'Chain', 0, 0],
    ]);
    expect(
      rows('select parentId, parentPos, colRef from _grist_Views_section_field order by id'),
    ).toEqual([
      [1, 1, 2],
      [2, 1, 2],
      [1, 2, 3],
      [2, 2, 3],
      [1, 3, 4],
      [2, 3, 4],
      [1, 4, 5],
      [2, 4, 5],
      [3, 1, 7],
      [4, 1, 7],
    ]);
    db.run('insert into Draws (id) values (1)');
    expect(rows('select * from Draws')).toEqual([[1, Infinity, '', 0, 0, 0]]);
    expect(rows("select type from pragma_table_info('Draws')")?.flat()).toEqual([
      'INTEGER',
      'NUMERIC',
      'TEXT',
      'INTEGER',
      'NUMERIC',
      'BOOLEAN',
    ]);
    db.close();
  });

  it('has every table of its version, with the content of a new document', async () => {
    const sql = await initSqlJs();
    const db = new sql.Database(createGristWriter(sql).finish());
    const schema = db.exec('select sql from sqlite_master where sql is not null order by name');
    expect(schema[0]?.values.flat().join('\n')).toMatchSnapshot();
    const names = db.exec("select name from sqlite_master where type = 'table' order by name");
    const filled = (names[0]?.values.flat() ?? []).flatMap((name) =>
      db.exec(`select * from "${String(name)}"`).map(({ values }) => [name, values]),
    );
    expect(Object.fromEntries(filled)).toMatchSnapshot();
    db.close();
  });

  it('frees its memory once, finished or not', async () => {
    const sql = await initSqlJs();
    let open = 0;
    class Counted extends sql.Database {
      constructor() {
        super();
        open += 1;
      }
      override close() {
        open -= 1;
        super.close();
      }
    }
    const counted = { ...sql, Database: Counted } as typeof sql;
    const dropped = createGristWriter(counted);
    dropped.discard();
    dropped.discard();
    expect(open).toBe(0);
    const finished = createGristWriter(counted);
    finished.finish();
    finished.discard();
    expect(open).toBe(0);
  });

  itWith('sqlite3', 'describes pages, grids and columns as Grist does', async () => {
    const { bytes } = await document();
    const file = path.join(folder, 'a.grist');
    writeFileSync(file, bytes);
    expect(await sqlite(file, 'select schemaVersion from _grist_DocInfo')).toEqual([
      { schemaVersion: 28 },
    ]);
    expect(await sqlite(file, 'pragma user_version')).toEqual([{ user_version: 9 }]);
    expect(
      await sqlite(
        file,
        `select t.tableId, v.name, s.parentKey, count(f.id) as fields, s.parentId = 0 as raw
         from _grist_Tables t join _grist_Views_section s on s.tableRef = t.id
           left join _grist_Views v on v.id = s.parentId
           join _grist_Views_section_field f on f.parentId = s.id group by s.id order by s.id`,
      ),
    ).toEqual([
      { tableId: 'Draws', name: 'Draws', parentKey: 'record', fields: 3, raw: 0 },
      { tableId: 'Draws', name: null, parentKey: 'record', fields: 3, raw: 1 },
      { tableId: 'Run', name: 'Run', parentKey: 'record', fields: 1, raw: 0 },
      { tableId: 'Run', name: null, parentKey: 'record', fields: 1, raw: 1 },
    ]);
    // Every field is a column of its table, every column one of the table in SQLite.
    expect(
      await sqlite(
        file,
        `select count(*) as n from _grist_Views_section_field f join _grist_Views_section s on s.id = f.parentId
         left join _grist_Tables_column c on c.id = f.colRef and c.parentId = s.tableRef where c.id is null`,
      ),
    ).toEqual([{ n: 0 }]);
    expect(await sqlite(file, "select name from pragma_table_info('Draws')")).toEqual(
      ['id', 'manualSort', 'Chain', 'theta_1_2', 'c'].map((name) => ({ name })),
    );
    expect(await sqlite(file, 'select viewRef from _grist_Pages order by pagePos')).toEqual([
      { viewRef: 1 },
      { viewRef: 2 },
    ]);
  });
});

describe('identifiers', () => {
  it('are valid in Grist and unique even if case is ignored, for any labels', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }), (labels) => {
        const ids = columnIds(labels);
        for (const id of ids) expect(id).toMatch(/^[A-Za-z][A-Za-z0-9_]*$/);
        expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(labels.length);
      }),
      { seed: 1 },
    );
  });

  it('avoid reserved names', () =>
    expect(columnIds(['id', 'Mu', 'mu', 'lambda', '2x', 'manualSort', 'lp__'])).toEqual([
      'id_2',
      'Mu',
      'mu_2',
      'lambda_2',
      'c_2x',
      'manualSort_2',
      'lp',
    ]));

  it.each<readonly [string, string]>([
    ['Größe é', 'Gro_e_e'],
    ['__a--b__', 'a_b'],
    ['θ', 'c'],
    ['', 'c'],
    ['9 lives', 'c_9_lives'],
    ['x'.repeat(200), 'x'.repeat(100)],
    ...'and as assert async await break class continue def del elif else except finally for from global if import in is nonlocal not or pass raise return try while with yield none true false rec value user table date time'
      .split(' ')
      .map((word) => [word.toUpperCase(), `${word.toUpperCase()}_2`] as const),
  ])('of %s are %s', (label, id) => expect(columnIds([label])).toEqual([id]));

  it('skip numbers that are taken', () =>
    expect(columnIds(['a', 'a_2', 'A', 'a'])).toEqual(['a', 'a_2', 'A_3', 'a_4']));
});
