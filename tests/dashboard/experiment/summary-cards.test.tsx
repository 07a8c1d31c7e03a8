// Runs in a window.
/** The summary on a phone: the sections, labels and intervals of the table, in cards. */
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ComponentProps, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SummaryCards } from '../../../src/dashboard/features/experiment/summary/summary-cards.tsx';
import { tableEntries } from '../../../src/dashboard/features/experiment/summary/summary-sections.ts';
import type { VariableKind } from '../../../src/posterior/variable-kinds.ts';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { createRow } from '../../support/summary-rows.ts';

const rows = [
  createRow({ variable: 'mu' }),
  createRow({ variable: 'theta[1]', label: 'theta[School A]' }),
  createRow({ variable: 'y_rep[1]', q5: -5000, q95: 5000 }),
  createRow({ variable: 'y_rep[2]' }),
];

type Props = ComponentProps<typeof SummaryCards>;
const still: Omit<Props, 'entries' | 'onFold'> = {
  interval: '90',
  numChains: 4,
  selected: '',
  onSelect: () => undefined,
};

function Folding(props: Partial<Props>) {
  const [toggled, setToggled] = useState<ReadonlySet<VariableKind>>(new Set());
  return (
    <MantineProvider>
      <SummaryCards
        {...still}
        entries={tableEntries(rows, toggled, false)}
        onFold={(kind) => setToggled(new Set([kind]))}
        {...props}
      />
    </MantineProvider>
  );
}

const cards = () => screen.getAllByRole('button').map((card) => card.textContent);
const tops = () =>
  screen.getAllByRole('listitem').map((item) => [item.style.transform, item.style.height]);

beforeEach(installBrowserParts);
afterEach(cleanup);

describe('the cards of the summary', () => {
  it('have the section headings of the table, and fold as it does', () => {
    render(<Folding />);
    expect(cards()).toEqual([
      'Variables 2',
      expect.stringMatching(/^mu4\.4\d* ± 3\.3/),
      expect.stringMatching(/^theta\[School A\]/),
      'Replicated data 2y_rep',
    ]);
    expect(tops()).toEqual([
      ['translateY(0px)', '44px'],
      ['translateY(44px)', '68px'],
      ['translateY(112px)', '68px'],
      ['translateY(180px)', '44px'],
    ]);
    fireEvent.click(screen.getByRole('button', { name: /^Replicated data/, expanded: false }));
    expect(screen.getByRole('button', { name: 'Replicated data 2', expanded: true })).toBeTruthy();
    expect(cards().slice(4)).toEqual([
      expect.stringMatching(/^y_rep\[1\]/),
      expect.stringMatching(/^y_rep\[2\]/),
    ]);
  });

  it('are laid out again when replaced by the same number of entries', () => {
    const { rerender } = render(<Folding entries={[{ row: rows[0] }, { row: rows[1] }]} />);
    const folded = tableEntries(rows, new Set(['variables']), false);
    expect(folded).toHaveLength(2);
    rerender(<Folding entries={folded} />);
    expect(tops().map(([, height]) => height)).toEqual(['44px', '44px']);
  });

  it('select a variable by its name, whatever its label', () => {
    const onSelect = vi.fn();
    render(<Folding onSelect={onSelect} selected="mu" />);
    expect(screen.getByRole('button', { pressed: true }).textContent).toMatch(/^mu/);
    fireEvent.click(screen.getByRole('button', { name: /^theta\[School A\]/ }));
    expect(onSelect).toHaveBeenCalledWith('theta[1]');
  });

  it.each([
    ['90', '-1.0 to 10.0'],
    ['50', '2.0 to 7.0'],
    ['hdi95', '-2.0 to 11.0'],
  ] as const)('show the ends of the chosen interval: %s', (interval, text) => {
    const row = createRow({ q5: -1, q95: 10, q25: 2, q75: 7, mcse_mean: 1 });
    const entries = [{ row: { ...row, low: -2, high: 11 } }];
    render(<Folding entries={entries} interval={interval} />);
    expect(cards()[0].replaceAll('\u2212', '-')).toContain(text);
  });

  it('show no other interval while the chosen one is not known', () => {
    render(<Folding entries={[{ row: createRow() }]} interval="hdi95" />);
    expect(cards()[0]).toMatch(/– to –$/);
  });
});
