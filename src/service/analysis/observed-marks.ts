/** Marks where a page shows the data, so that a share without the data can omit it. */
const begin = '<!--observed-->';
const end = '<!--/observed-->';
const inPlace =
  '<p class="dim">The part that shows the data is left out: this share does not include the data.</p>';

/** Marks around the data a page shows, so they can be removed. User texts are escaped, so none can contain a mark. */
export const observedMarks = { begin, end } as const;

/** A page as a share without the data shows it. */
export function withoutObserved(page: Buffer): Buffer {
  if (!page.includes(begin)) return page;
  const [first = '', ...others] = page.toString('utf8').split(begin);
  const parts = others.map((part) => {
    const at = part.indexOf(end);
    return inPlace + (at === -1 ? '' : part.slice(at + end.length));
  });
  return Buffer.from(first + parts.join(''), 'utf8');
}
