/**
 * Makes queries of full pages cheaper. A query by role reads the style of every element, which happy-dom computes from the
 * style sheets; tests load only Mantine's media queries, so an element's own attributes are enough. Each retried query
 * writes the page into a message that is discarded; here the page is printed once, by the test that failed.
 */
import { configure, prettyDOM } from '@testing-library/react';

const MOST_CHARACTERS = 7000;

export function makeQueriesQuick(): void {
  configure({ getElementError: (message) => new Error(message ?? 'No element was found.') });
  const compute = window.getComputedStyle.bind(window);
  const displays = new Map<string, string>();
  const displayOfTag = (tag: string): string => {
    let display = displays.get(tag);
    if (display === undefined) {
      const blank = document.body.appendChild(document.createElement(tag));
      ({ display } = compute(blank));
      blank.remove();
      displays.set(tag, display);
    }
    return display;
  };
  window.getComputedStyle = (element, pseudo) => {
    if (pseudo) return nothingBeside(() => compute(element, pseudo));
    return isPlain(element)
      ? quickStyle(element, displayOfTag, () => compute(element))
      : compute(element);
  };
}

export function printPage(): void {
  process.stdout.write(`${prettyDOM(document.body, MOST_CHARACTERS)}\n`);
}

/** True if no media query hides it. */
function isPlain(element: Element): element is HTMLElement | SVGElement {
  const isStyled = element instanceof HTMLElement || element instanceof SVGElement;
  return isStyled && !element.getAttribute('class')?.includes('mantine-visible-from');
}

/** Answers directly what queries and simulated clicks read; `compute` answers the rest. */
function quickStyle(
  element: HTMLElement | SVGElement,
  displayOfTag: (tag: string) => string,
  compute: () => CSSStyleDeclaration,
): CSSStyleDeclaration {
  const known: Readonly<Record<string, () => string>> = {
    display: () =>
      element.hasAttribute('hidden')
        ? 'none'
        : element.style.display || displayOfTag(element.tagName),
    visibility: () => inherited(element, 'visibility') || 'visible',
    pointerEvents: () => inherited(element, 'pointerEvents') || 'auto',
  };
  return proxyStyle(known, compute);
}

function proxyStyle(
  known: Readonly<Record<string, () => string>>,
  compute: () => CSSStyleDeclaration,
): CSSStyleDeclaration {
  const valueOf = (name: string) => known[name]?.() ?? compute().getPropertyValue(name);
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name) {
      if (name === 'getPropertyValue') return valueOf;
      if (typeof name === 'string' && Object.hasOwn(known, name)) return known[name]?.();
      const style = compute();
      const value: unknown = Reflect.get(style, name);
      return typeof value === 'function' ? value.bind(style) : value;
    },
  });
}

/** Accessible names include text before or after an element, but it comes from style sheets, and there are none. */
function nothingBeside(compute: () => CSSStyleDeclaration): CSSStyleDeclaration {
  return proxyStyle({ content: () => 'none' }, compute);
}

/** The nearest own value of the element or its ancestors; empty if none has one. */
function inherited(
  element: HTMLElement | SVGElement,
  property: 'visibility' | 'pointerEvents',
): string {
  let at: HTMLElement | SVGElement | null = element;
  for (; at !== null; at = at.parentElement) {
    const value = at.style[property];
    if (value !== '') return value;
  }
  return '';
}
