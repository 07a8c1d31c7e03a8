/** Markdown as formatted text; plain until the chunk that formats it is here. */
import { Suspense } from 'react';
import { barePart } from './lazy-part.ts';

const Markdown = barePart(() => import('./markdown.tsx'), 'Markdown');

export function LazyMarkdown({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<p style={{ whiteSpace: 'pre-wrap' }}>{text}</p>}>
      <Markdown text={text} />
    </Suspense>
  );
}
