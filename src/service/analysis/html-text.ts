/** Text for HTML that we write: escaped for content and quoted attributes. */
import { escapeXml } from '../../figures/svg-text.ts';

/** HTML that is finished: what `html` makes. */
export interface Html {
  readonly markup: string;
}

/** What may stand in a template. */
export type HtmlValue = string | number | boolean | null | undefined | Html | readonly HtmlValue[];

/**
 * Template whose values are escaped, unless they are `Html` themselves; arrays are joined, null and false are nothing.
 * So text can only become markup by name.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  // One value stands between two strings.
  const markup = strings.map((string, i) => (i === 0 ? string : render(values[i - 1]) + string));
  return { markup: markup.join('') };
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeXml(String(value));
  return 'markup' in value ? value.markup : value.map(render).join('');
}

/** Markup that was escaped where it was made (SVG of ours, style sheets). */
export function finished(markup: string): Html {
  return { markup };
}
