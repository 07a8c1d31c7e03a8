/** The editor as its own chunk, loaded where it is shown. */
import { lazy } from 'react';
import { patiently } from '../ui/patient-import.ts';

export const CodeEditor = lazy(() => patiently(() => import('./code-editor.tsx')));
export const DiffView = lazy(() => patiently(() => import('./diff-view.tsx')));
export const ReadView = lazy(() => patiently(() => import('./read-view.tsx')));
