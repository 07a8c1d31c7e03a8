/**
 * A log of any length as rows. Pages of bytes are fetched when they come into view; a bounded number is cached.
 *
 * A page's line count is known once it was loaded; until then it is a share of the remaining lines.
 */
import { byteLength, type LogPart, type LogSource } from './log-source.ts';

export const pageBytes = 64 * 1024;
/** Number of cached pages: 8 MB of text. */
const mostPages = 128;

export interface LogLine {
  /** Start of the line, in bytes of the log. */
  readonly offset: number;
  readonly text: string;
  /** 0-based; exact only where `isExact`. */
  readonly row: number;
  readonly isExact: boolean;
}

interface Page {
  /** End of the line that began on the page before. */
  readonly head: string;
  readonly lines: readonly { readonly offset: number; readonly text: string }[];
  /** The last line continues on the next page. */
  readonly isOpen: boolean;
  readonly end: number;
}

/** Where each page's rows begin, and the end; counts of pages not loaded yet are estimates. */
export function rowStarts(
  counts: readonly (number | undefined)[],
  { size, lines }: { readonly size: number; readonly lines: number },
): number[] {
  const bytesOf = (page: number) => Math.min(pageBytes, size - page * pageBytes);
  let unseenBytes = 0;
  let unseenLines = lines;
  for (const [page, count] of counts.entries()) {
    if (count === undefined) unseenBytes += bytesOf(page);
    else unseenLines -= count;
  }
  const share = unseenBytes === 0 ? 0 : Math.max(0, unseenLines) / unseenBytes;
  const starts = [0];
  let at = 0;
  for (const [page, count] of counts.entries()) {
    at += count ?? share * bytesOf(page);
    starts.push(Math.round(at));
  }
  return starts;
}

/** Cuts a part, requested from one byte before the page, into the lines that begin on the page. */
export function cutPage(index: number, part: LogPart): Page {
  const start = index * pageBytes;
  const cut = part.text.indexOf('\n');
  const isFirst = index === 0;
  // The previous page's line ends at the first line end; the byte before the page may be that line end.
  const head = isFirst ? '' : cut === -1 ? part.text : part.text.slice(0, cut);
  // The byte before the page belongs to the previous line: it is not shown twice.
  const before = (head.codePointAt(0) ?? 0) > 0xffff ? 2 : 1;
  const ownHead = part.from >= start ? head : head.slice(before);
  const lines: { offset: number; text: string }[] = [];
  let offset = isFirst ? part.from : part.from + byteLength(head) + 1;
  let rest = isFirst ? part.text : cut === -1 ? '' : part.text.slice(cut + 1);
  const isOpen = rest !== '' && !rest.endsWith('\n') && part.to < part.size;
  if (rest.endsWith('\n')) rest = rest.slice(0, -1);
  else if (rest === '') return { head: ownHead, lines, isOpen: false, end: part.to };
  for (const text of rest.split('\n')) {
    if (offset < start + pageBytes) lines.push({ offset, text });
    offset += byteLength(text) + 1;
  }
  return { head: ownHead, lines, isOpen, end: part.to };
}

export class LogPages {
  size = 0;
  lines = 0;
  private readonly pages = new Map<number, Page>();
  private counts: (number | undefined)[] = [];
  private starts: number[] = [0];
  private readonly loading = new Map<number, Promise<void>>();
  private readonly listeners = new Set<() => void>();
  private currentVersion = 0;

  constructor(readonly source: LogSource) {}

  version = (): number => this.currentVersion;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get numRows(): number {
    return this.starts.at(-1) ?? 0;
  }

  get numPages(): number {
    return this.counts.length;
  }

  /** Fetches the end again, with everything added since. Throws `ApiError`. */
  async refresh(signal?: AbortSignal): Promise<{ size: number; lines: number }> {
    const last = Math.max(0, Math.ceil(this.size / pageBytes) - 1);
    const known = this.size > 0;
    // The length is unknown at first: request the last page's worth of bytes.
    const from = known ? Math.max(0, last * pageBytes - 1) : -pageBytes;
    const part = await this.source.read(from, 0, signal);
    this.size = part.size;
    this.lines = part.lines;
    const numPages = Math.ceil(part.size / pageBytes);
    this.counts.length = numPages;
    for (let i = 0; i < numPages; i++) this.counts[i] ??= undefined;
    const newest = numPages - 1;
    const holdsIt = part.to >= part.size && part.from <= Math.max(0, newest * pageBytes - 1);
    if (!known && part.from > 0) this.pages.delete(newest);
    if (last !== newest) this.pages.delete(last);
    if (numPages > 0 && holdsIt && (known ? last === newest : part.from === 0))
      this.take(newest, part);
    else if (numPages > 0) await this.load(newest, signal, true);
    this.publish();
    return { size: this.size, lines: this.lines };
  }

  /** The row, or null while its page is not loaded. */
  line(row: number): LogLine | null {
    const index = this.pageOf(row);
    const page = this.pages.get(index);
    const place = row - this.startOf(index);
    const own = page?.lines[place];
    if (page === undefined || own === undefined) return null;
    const isLast = place === page.lines.length - 1;
    const tail = isLast && page.isOpen ? (this.pages.get(index + 1)?.head ?? '') : '';
    return { ...own, text: own.text + tail, row, isExact: this.isExact(index) };
  }

  /** Page and position of a row, which stay the same when estimates change. */
  placeOf(row: number): { readonly page: number; readonly index: number } {
    const page = this.pageOf(row);
    return { page, index: row - this.startOf(page) };
  }

  rowAt({ page, index }: { readonly page: number; readonly index: number }): number {
    return this.startOf(page) + index;
  }

  /** Fetches the pages of these rows. Throws `ApiError`. */
  async want(first: number, last: number, signal?: AbortSignal): Promise<void> {
    if (this.numRows === 0) return;
    const from = this.pageOf(first);
    const to = Math.min(this.numPages - 1, this.pageOf(last) + 1);
    const wanted = [];
    for (let page = from; page <= to; page++) {
      if (!this.pages.has(page)) wanted.push(this.load(page, signal));
    }
    if (wanted.length === 0) return;
    await Promise.all(wanted);
    this.publish();
  }

  /** The row of the line that begins at or contains this byte. Throws `ApiError`. */
  async rowOfOffset(offset: number, signal?: AbortSignal): Promise<number> {
    const page = Math.min(Math.max(0, this.numPages - 1), Math.floor(offset / pageBytes));
    await this.load(page, signal);
    this.publish();
    const lines = this.pages.get(page)?.lines ?? [];
    const after = lines.findIndex((line) => line.offset > offset);
    const index = after === -1 ? lines.length - 1 : Math.max(0, after - 1);
    return this.startOf(page) + Math.max(0, index);
  }

  /** All complete lines of one page, for reading through the entire log. Throws `ApiError`. */
  async linesOf(page: number, signal?: AbortSignal): Promise<readonly LogLine[]> {
    await this.load(page, signal);
    if (this.pages.get(page)?.isOpen === true && page + 1 < this.numPages)
      await this.load(page + 1, signal);
    this.publish(false);
    const count = this.counts[page] ?? 0;
    const start = this.startOf(page);
    return Array.from({ length: count }, (_, i) => this.line(start + i)).filter(
      (line) => line !== null,
    );
  }

  private isExact(page: number): boolean {
    const isKnown = (count: number | undefined) => count !== undefined;
    return this.counts.slice(0, page).every(isKnown) || this.counts.slice(page).every(isKnown);
  }

  /** Its first row, as far as is known; 0 for a page of a log that has no rows yet. */
  private startOf(page: number): number {
    return this.starts[page] ?? 0;
  }

  private pageOf(row: number): number {
    let low = 0;
    let high = this.counts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= row) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  private load(page: number, signal?: AbortSignal, again = false): Promise<void> {
    const held = this.pages.get(page);
    if (held !== undefined && !again) {
      // Newest last: the oldest is evicted first.
      this.pages.delete(page);
      this.pages.set(page, held);
      return Promise.resolve();
    }
    const known = this.loading.get(page);
    if (known !== undefined) return known;
    const from = Math.max(0, page * pageBytes - 1);
    const load = this.source
      .read(from, Math.min(this.size, (page + 1) * pageBytes), signal)
      .then((part) => this.take(page, part))
      .finally(() => this.loading.delete(page));
    this.loading.set(page, load);
    return load;
  }

  private take(index: number, part: LogPart): void {
    const end = Math.min((index + 1) * pageBytes, part.size);
    const page = cutPage(index, part);
    this.pages.delete(index);
    this.pages.set(index, page);
    if (page.end >= end) this.counts[index] = page.lines.length;
    for (const oldest of this.pages.keys()) {
      if (this.pages.size <= mostPages) break;
      this.pages.delete(oldest);
    }
    this.starts = rowStarts(this.counts, this);
  }

  private publish(notifyAll = true): void {
    this.starts = rowStarts(this.counts, this);
    if (!notifyAll) return;
    this.currentVersion += 1;
    for (const listener of this.listeners) listener();
  }
}
