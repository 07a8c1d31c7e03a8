// Runs in a window.
/** Each editor is loaded when it is first shown. */
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { CodeEditor, DiffView, ReadView } from '../../../src/dashboard/editor/lazy-editor.ts';
import type { StanService } from '../../../src/dashboard/editor/stan-service.ts';
import { editors, record } from './recorded-monaco.ts';

beforeEach(() => {
  cleanup();
  vi.restoreAllMocks();
  record();
});

const nothing = () => undefined;
const service = { ask: async () => null } as unknown as StanService;

it.each<[string, ReactNode, object]>([
  [
    'to write',
    <CodeEditor
      key="code"
      files={[{ id: 1, path: 'a.stan', text: 'x' }]}
      activeId={1}
      problems={[]}
      service={service}
      scheme="light"
      isWrapped={false}
      flush={nothing}
      onEdit={nothing}
      onOpen={nothing}
      onCursor={nothing}
      onSave={nothing}
      handle={null}
    />,
    { model: null },
  ],
  [
    'to compare',
    <DiffView key="diff" path="a.stan" theirs="a" mine="b" scheme="light" />,
    { originalEditable: false },
  ],
  [
    'to read',
    <ReadView key="read" path="a.stan" text="a" scheme="light" />,
    { ariaLabel: 'a.stan, read-only' },
  ],
])('the editor %s is loaded when it is shown', async (_, view, given) => {
  render(<Suspense fallback="loading">{view}</Suspense>);
  await waitFor(() => expect(screen.queryByText('loading')).toBeNull());
  await waitFor(() => expect(editors).toHaveLength(1));
  expect(editors[0].given).toMatchObject(given);
});
