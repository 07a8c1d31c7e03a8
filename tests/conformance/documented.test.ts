import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/endpoints.ts';
import { documented } from './documented.ts';
import { findTest, pageOf, readPage, readTestBlocks, renderTable } from './table.ts';

const blocks = readTestBlocks();

describe('the documented items', () => {
  it('each have a test that speaks of them', () => {
    const without = documented.flatMap((group) =>
      group.items
        .filter((item) => findTest(blocks, item, group) === null)
        .map((item) => `${group.title}: ${item}`),
    );
    expect(without).toEqual([]);
  });

  it('hold every parameter the contract declares for viewing and listing', () => {
    const named = new Set(documented.flatMap((group) => group.items));
    const declared = [endpoints.viewObject, endpoints.listObjects].flatMap((endpoint) =>
      Object.keys(endpoint.query.shape),
    );
    const ours = ['version', 'plot_group'];
    expect(declared.filter((name) => !named.has(name) && !ours.includes(name))).toEqual([]);
  });

  it('stand in the table of the contract, which `npx tsx tests/conformance/table.ts` writes', () => {
    expect(readPage()).toBe(pageOf(renderTable(blocks, readPage())));
  });

  it('keep their row when a new test speaks of them, and get another when theirs has gone', () => {
    const page = readPage();
    const row = /^\| `pause` \| (.+): (.+) \|$/m.exec(page) ?? [];
    const shorter = { file: 'conformance/new.test.ts', title: 'new', text: 'orders pause' };
    expect(renderTable([...blocks, shorter], page)).toContain(row[0]);
    const without = blocks.filter(({ file, title }) => file !== row[1] || title !== row[2]);
    expect(renderTable([...without, shorter], page)).not.toContain(row[0]);
  });
});
