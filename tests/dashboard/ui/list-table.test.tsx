// Runs in a window.
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { ListTable } from '../../../src/dashboard/ui/list-table.tsx';

afterEach(cleanup);

interface Row {
  readonly name: string;
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({ name: `run ${i + 1}` }));
const table = (rows: readonly Row[]) => (
  <MantineProvider>
    <ListTable
      label="Runs"
      rows={rows}
      columns={[{ key: 'name', title: 'Name', phone: 'title', cell: ({ name }) => name }]}
      idOf={({ name }) => name}
      nameOf={({ name }) => name}
    />
  </MantineProvider>
);
const namesIn = (html: string) => html.match(/run \d+/g) ?? [];
const shownNames = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

it('a list first renders the rows that a window holds, then the others', () => {
  const rows = rowsOf(50);
  expect(namesIn(renderToStaticMarkup(table(rows)))).toEqual(
    rows.slice(0, 20).map(({ name }) => name),
  );
  render(table(rows));
  expect(shownNames()).toEqual(rows.map(({ name }) => name));
});

it('a list renders other rows completely when they come', () => {
  const { rerender } = render(table(rowsOf(2)));
  expect(shownNames()).toEqual(['run 1', 'run 2']);
  rerender(table(rowsOf(40)));
  expect(shownNames()).toHaveLength(40);
  rerender(table([]));
  expect(screen.getAllByRole('row')).toHaveLength(1);
});
