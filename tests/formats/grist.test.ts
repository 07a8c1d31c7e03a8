/** Grist documents: tables, their descriptions, and identifiers that Grist takes. */
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
  it('holds every number to the last bit; what is not a number is an empty cell', async () => {
    const { sql, bytes } = await document();
    const db = new sql.Database(bytes);
    expect(db.exec('select * from Draws')[0].values).toEqual([
      [1, 1, 'chain#1', 0.1, -1e-300],
      [2, 2, "it's", null, Infinity],
    ]);
    db.close();
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
  it('are what Grist takes, different even when case is ignored, for any labels', () => {
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
});
