/** The editor as a separate chunk, loaded when it is shown. */
import { lazyPart } from '../ui/lazy-part.ts';

export const CodeEditor = lazyPart(() => import('./code-editor.tsx'), 'default');
export const DiffView = lazyPart(() => import('./diff-view.tsx'), 'default');
export const ReadView = lazyPart(() => import('./read-view.tsx'), 'default');
