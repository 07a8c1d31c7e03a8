/** The editor as its own chunk, loaded where it is shown. */
import { lazy } from 'react';

export const CodeEditor = lazy(() => import('./code-editor.tsx'));
export const DiffView = lazy(() => import('./diff-view.tsx'));
