/** The editor as a separate chunk, loaded when it is shown. */
import { barePart } from '../ui/lazy-part.ts';

export const CodeEditor = barePart(() => import('./code-editor.tsx'), 'default');
export const DiffView = barePart(() => import('./diff-view.tsx'), 'default');
export const ReadView = barePart(() => import('./read-view.tsx'), 'default');
