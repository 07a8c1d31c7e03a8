// Runs in a window.
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { SummaryRow } from '../../../src/contract/draws.ts';
import { Caption } from '../../../src/dashboard/features/experiment/plots/trace-card.tsx';

afterEach(cleanup);

it.each([
  [{ rhat: 1.003, ess_bulk: 900, ess_tail: 1000 }, 'R-hat 1.003ESS 900 bulk'],
  [{ rhat: 1.003, ess_bulk: 900, ess_tail: 700 }, 'R-hat 1.003ESS 700 tail'],
  // of the first draws of a run
  [{ rhat: null, ess_bulk: 8, ess_tail: null }, 'ESS 8 bulk'],
  [{ rhat: null, ess_bulk: null, ess_tail: null }, ''],
])('the caption of a trace has what is known: %j', (known, text) => {
  const row = { constant: false, ...known } as SummaryRow;
  const { container } = render(<Caption row={row} numChains={4} />);
  expect(container.textContent).toBe(text);
});
