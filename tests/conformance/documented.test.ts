import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/contract/endpoints.ts';
import { documented } from './documented.ts';
import { findTest, pageOf, readPage, readTestBlocks, renderTable } from './table.ts';

const blocks = readTestBlocks();

describe('the documented items', () => {
  it('each have a test that mentions them', () => {
    const without = documented.flatMap((group) =>
      group.items
        .filter((item) => findTest(blocks, item, group) === null)
        .map((item) => `${group.title}: ${item}`),
    );
    expect(without).toEqual([]);
  });

  it('include every parameter that the contract declares for viewing and listing', () => {
    const named = new Set(documented.flatMap((group) => group.items));
    const declared = [endpoints.viewObject, endpoints.listObjects].flatMap((endpoint) =>
      Object.keys(endpoint.query.shape),
    );
    const ours = ['version', 'plot_group'];
    expect(declared.filter((name) => !named.has(name) && !ours.includes(name))).toEqual([]);
  });

  it('match the table of the contract that `npx tsx tests/conformance/table.ts` writes', () => {
    expect(readPage()).toBe(pageOf(renderTable(blocks, readPage())));
  });

  it('keep their row when another test mentions them, and get a new one when their test is gone', () => {
    const page = readPage();
    const row = /^\| `pause` \| (.+): (.+) \|$/m.exec(page) ?? [];
    const shorter = { file: 'conformance/new.test.ts', title: 'new', text: 'orders pause' };
    expect(renderTable([...blocks, shorter], page)).toContain(row[0]);
    const without = blocks.filter(({ file, title }) => file !== row[1] || title !== row[2]);
    expect(renderTable([...without, shorter], page)).not.toContain(row[0]);
  });
});
