/** What every page must withstand: axe in both themes, and a window as narrow as a phone or as wide as a wall. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { Page } from 'playwright-core';
import { bothSchemes, type Scheme, themeOf } from './story.ts';

const { resolve } = createRequire(import.meta.url);
const axeSource = readFileSync(resolve('axe-core/axe.min.js'), 'utf8');

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The rules whose answer depends on the theme; the page is otherwise the same in both. */
const colourRules = ['color-contrast', 'link-in-text-block'];
/** Checked only on the topmost layer, which may cover half a button of the layer under it. */
const sizeRule = 'target-size';
const openLayers = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Pixels; pages are opened at the desktop size. */
export const windows = {
  phone: { width: 360, height: 740 },
  desktop: { width: 1280, height: 800 },
  wall: { width: 3840, height: 2160 },
} as const;

const underWay = new WeakMap<Page, Set<unknown>>();

/** Tracks the page's requests from now on, so that `settle` knows when they are answered; turns off transitions. */
export async function watch(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const open = new Set<unknown>();
  underWay.set(page, open);
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

/** Waits until the page's requests are answered, it shows no skeleton and it has not changed for a moment. */
export async function settle(page: Page): Promise<void> {
  const open = underWay.get(page);
  do {
    await page.evaluate(async () => {
      const end = performance.now() + 10_000;
      let changed = performance.now();
      const watcher = new MutationObserver(() => {
        changed = performance.now();
      });
      watcher.observe(document, { subtree: true, childList: true, attributes: true });
      const isBusy = () =>
        Array.from(document.querySelectorAll('[aria-busy="true"], [class*="skeleton" i]')).some(
          (part) => part.checkVisibility(),
        );
      while (performance.now() < end && (performance.now() - changed < 120 || isBusy()))
        await new Promise((resolve) => setTimeout(resolve, 20));
      watcher.disconnect();
    });
  } while (open !== undefined && open.size > 0);
}

/** Goes to a page within the app, without reloading it; `title` is its heading. */
export async function goInside(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate((to) => window.history.pushState(null, '', to), path);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  await settle(page);
}

/** Resizes the window, and waits until the plots and the editor have adapted. */
export async function resize(page: Page, size: keyof typeof windows): Promise<void> {
  await page.setViewportSize(windows[size]);
  await settle(page);
}

/** Changes the theme of the open page, as choosing one in another tab does. */
async function paint(page: Page, scheme: Scheme): Promise<void> {
  await page.evaluate((value) => {
    const key = 'mantine-color-scheme-value';
    window.localStorage.setItem(key, value);
    const storageArea = window.localStorage;
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: value, storageArea }));
  }, scheme);
  await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor();
  await settle(page);
}

/**
 * What axe finds wrong in either theme, as text; the page is left in the theme it did not have. Colours are most of the
 * work: if dialogs or menus are open, only their colours are checked, since the page under them is checked separately.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const first = await themeOf(page);
  const isOpen = await page.evaluate(
    (layers) => Array.from(document.querySelectorAll(layers)).some((one) => one.checkVisibility()),
    openLayers,
  );
  const [now, other]: readonly Scheme[] =
    first === 'light' ? bothSchemes : [...bothSchemes].reverse();
  const found = await askAxe(page, now, { without: isOpen ? [...colourRules, sizeRule] : [] });
  if (isOpen) {
    found.push(...(await askAxe(page, now, { only: colourRules, of: 'open' })));
    found.push(...(await askAxe(page, now, { only: [sizeRule], of: 'last' })));
  }
  await paint(page, other);
  return [...found, ...(await askAxe(page, other, { only: colourRules, of: 'open' }))];
}

interface Rules {
  /** Absent: all. */
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  /** All layers open over the page, or the last one, if there are any; absent: the entire page. */
  readonly of?: 'open' | 'last';
}

async function askAxe(page: Page, scheme: Scheme, rules: Rules): Promise<string[]> {
  const wrong = await page.evaluate(
    async ([{ only, without = [], of: part }, tags, layers]) => {
      const { axe } = window as unknown as { axe: typeof Axe };
      const open = Array.from(document.querySelectorAll(layers)).filter((one) =>
        one.checkVisibility(),
      );
      const asked = part === 'last' ? open.slice(-1) : open;
      const isWhole = part === undefined || asked.length === 0;
      const { violations } = await axe.run(isWhole ? document : { include: asked }, {
        runOnly: only ? { type: 'rule', values: [...only] } : { type: 'tag', values: [...tags] },
        rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
        resultTypes: ['violations'],
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
      );
    },
    [rules, levels, openLayers] as const,
  );
  return wrong.map((words) => `${scheme}: ${words.replace(/\s+/g, ' ')}`);
}

/**
 * What does not fit the window, as text: a page that scrolls sideways, a control that is cut off or overlaps another,
 * a page without exactly one main part and heading, and lines too long to read.
 */
export function misfitsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page is ${root.scrollWidth} wide in a window of ${root.clientWidth}`);
    const isSeen = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('.visually-hidden') === null;
    const heads = Array.from(document.querySelectorAll('h1')).filter(isSeen);
    if (heads.length !== 1) found.push(`${heads.length} headings of the first level`);
    const mains = document.querySelectorAll('main').length;
    if (mains !== 1) found.push(`${mains} main parts`);

    interface Place {
      readonly element: Element;
      readonly name: string;
      readonly box: DOMRect;
      /** The part of the box that its scrolling and clipping ancestors let through. */
      readonly seen: { left: number; right: number; top: number; bottom: number };
      /** An ancestor scrolls sideways or truncates with an ellipsis: what is cut off there can be reached. */
      readonly isReached: boolean;
      /** The floating layer it belongs to: a menu or a sticky bar. */
      readonly layer: Element | null;
    }
    const placeOf = (element: Element): Place => {
      const box = element.getBoundingClientRect();
      const seen = { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
      let isReached = false;
      const floats = '[data-portal], [role="dialog"], [role="menu"], [role="listbox"]';
      let layer = element.closest(floats);
      if (getComputedStyle(element).position === 'fixed') layer ??= element;
      for (let at = element.parentElement; at !== null && at !== root; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (layer === null && /fixed|sticky/.test(style.position)) layer = at;
        if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
        const clip = at.getBoundingClientRect();
        const scrolls = /auto|scroll/.test(style.overflowX) && at.scrollWidth > at.clientWidth + 1;
        const isWithin = clip.left > -1 && clip.right < root.clientWidth + 1;
        if ((scrolls || style.textOverflow === 'ellipsis') && isWithin) isReached = true;
        seen.left = Math.max(seen.left, clip.left);
        seen.right = Math.min(seen.right, clip.right);
        seen.top = Math.max(seen.top, clip.top);
        seen.bottom = Math.min(seen.bottom, clip.bottom);
      }
      const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
      const name = `${element.tagName.toLowerCase()} “${label.trim().slice(0, 40)}”`;
      return { element, name, box, seen, isReached, layer };
    };
    const controls = 'a[href], button, input, select, textarea, [role="tab"], [role="combobox"]';
    // An open dialog makes what is under it inert.
    const layer = document.querySelector('[role="dialog"][aria-modal="true"]') ?? document;
    const places = Array.from(layer.querySelectorAll(controls))
      .filter((one) => isSeen(one) && one.closest('.monaco-editor, .js-plotly-plot') === null)
      .map(placeOf)
      .filter(({ box }) => box.width > 2 && box.height > 2);
    for (const { element, name, box, seen, isReached } of places) {
      // The skip link is far off screen until it has the focus.
      if (box.right < 0) continue;
      const isOut = box.left < -1 || box.right > root.clientWidth + 1;
      const isCut = seen.left > box.left + 1 || seen.right < box.right - 1;
      if ((isOut || isCut) && !isReached)
        found.push(`${name} is cut off: ${Math.round(box.left)} to ${Math.round(box.right)}`);
      for (const words of [element, ...element.querySelectorAll('*')]) {
        const { overflowX, textOverflow } = getComputedStyle(words);
        const isClipped = overflowX === 'hidden' && words.scrollWidth > words.clientWidth + 1;
        if (
          isClipped &&
          words.clientWidth > 2 &&
          textOverflow !== 'ellipsis' &&
          words.closest('.visually-hidden') === null
        )
          found.push(`the words of ${name} are cut off`);
      }
    }
    const shown = places.filter(
      ({ seen }) => seen.right - seen.left > 2 && seen.bottom - seen.top > 2,
    );
    shown.forEach((one, index) => {
      for (const other of shown.slice(index + 1)) {
        const wide =
          Math.min(one.seen.right, other.seen.right) - Math.max(one.seen.left, other.seen.left);
        const high =
          Math.min(one.seen.bottom, other.seen.bottom) - Math.max(one.seen.top, other.seen.top);
        if (wide <= 2 || high <= 2 || one.layer !== other.layer) continue;
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        // Buttons inside a field (show the password, clear) overlap it, but not the text in it.
        const field = one.element.closest('.mantine-Input-wrapper');
        if (field !== null && field.contains(other.element)) {
          const isBefore = other.seen.left < (one.seen.left + one.seen.right) / 2;
          const textEnd = one.seen.right - parseFloat(getComputedStyle(one.element).paddingRight);
          if (one.element.matches('input') && !isBefore && textEnd > other.seen.left + 1)
            found.push(`the text of ${one.name} runs under ${other.name}`);
          continue;
        }
        found.push(`${one.name} lies on ${other.name}`);
      }
    });
    for (const line of document.querySelectorAll('main p, main li, main dd')) {
      const text = Array.from(line.childNodes).find(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (text === undefined) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const { width } = range.getBoundingClientRect();
      if (width > 1200)
        found.push(`a line is ${Math.round(width)} long: “${text.textContent?.slice(0, 40)}”`);
    }
    return found;
  });
}
