/** Escaped text for the HTML we write: element content and quoted attributes. */
import { escapeXml } from '../../figures/svg-text.ts';

/** Finished HTML, as returned by `html`. */
export interface Html {
  readonly markup: string;
}

/** Values that a template accepts. */
export type HtmlValue = string | number | boolean | null | undefined | Html | readonly HtmlValue[];

/**
 * Template that escapes its values unless they are `Html` themselves; joins arrays, and omits null and false.
 * So text becomes markup only when the code says so.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  // Each value goes between two strings.
  const markup = strings.map((string, i) => (i === 0 ? string : render(values[i - 1]) + string));
  return { markup: markup.join('') };
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeXml(String(value));
  return 'markup' in value ? value.markup : value.map(render).join('');
}

/** Markup that was escaped when it was made (our own SVG and style sheets). */
export function finished(markup: string): Html {
  return { markup };
}
