/** Renders Markdown: marked makes the HTML, and DOMPurify lets nothing but plain formatting through. */
import createPurifier from 'dompurify';
import { Marked } from 'marked';
import { useMemo } from 'react';
import classes from './markdown.module.css';

const blocks = ['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code'];
const inline = ['em', 'strong', 'del', 'a', 'ul', 'ol', 'li'];
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];

const allowed = {
  ALLOWED_TAGS: [...blocks, ...inline, ...tables],
  ALLOWED_ATTR: ['href', 'align', 'start'],
  // No script, no data, and nothing that depends on the address of the page.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
};

/**
 * HTML within the Markdown loses its attributes but keeps its tags, some of which the purifier allows: a browser
 * complains about each event handler that the purifier removes.
 */
const marked = new Marked({
  gfm: true,
  renderer: { html: ({ text }) => text.replace(/<([a-z][\w-]*)[\s/][^>]*>/gi, '<$1>') },
});

/** Harmless HTML of a text that anybody may have written. */
export function harmlessHtml(text: string): string {
  const purifier = createPurifier(window);
  // A link leaves the page open, and the target learns nothing about it.
  purifier.addHook('afterSanitizeAttributes', (node) => {
    if (!node.hasAttribute('href')) return;
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  });
  return purifier.sanitize(marked.parse(text, { async: false }), allowed);
}

export function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => harmlessHtml(text), [text]);
  return <div className={classes.text} dangerouslySetInnerHTML={{ __html: html }} />;
}
