// Runs in a window.
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApiError } from '../../../src/client/api-error.ts';
import { QueryProblem } from '../../../src/dashboard/ui/query-problem.tsx';

function textFor(error: ApiError): string {
  render(
    <MantineProvider>
      <QueryProblem query={{ error, refetch: () => Promise.resolve() }} what="The log" />
    </MantineProvider>,
  );
  return screen.getByRole('alert').querySelector('p')?.textContent ?? '';
}

it.each([
  [
    new ApiError('network', 'The server cannot be reached.'),
    'The log could not be loaded. The server cannot be reached. Nothing is lost.',
  ],
  [
    new ApiError('http', 'The disk is full.', { status: 507 }),
    'The log could not be loaded. The disk is full. Nothing is lost.',
  ],
  [
    new ApiError('http', 'There is no such object.', { status: 400, code: 'NOT_FOUND' }),
    'The log could not be loaded. There is no such object.',
  ],
])('a panel that could not be loaded promises no object that is gone: %s', (error, text) => {
  expect(textFor(error)).toBe(text);
});
