/** Cells other than plain numbers (percents, amounts of money, dates), and how they become numbers. */
import type { ColumnReading } from '../formats/data-meta.ts';
import { type DateOrder, dayOf, dayText } from './date-cell.ts';
import { isMissing, type NumberStyle, numberOf } from './number-style.ts';

/** NaN: the cell has no number in this reading. */
export function cellNumber(
  cell: string,
  reading: ColumnReading | null,
  style: NumberStyle,
): number {
  switch (reading?.as) {
    case 'text':
      return Number.NaN;
    case 'percent':
      return percentOf(cell, style, reading.unit);
    case 'currency':
      return amountIn(cell, style, reading.symbol);
    case 'date':
      return dayOf(cell, reading.order) - dayOf(reading.origin, 'ymd');
    default:
      return numberOf(cell, style);
  }
}

/** The message for a cell without a number: `Row 5 of “day” is “soon”, not a date.` */
export function kindOfReading(reading: ColumnReading | null): string {
  switch (reading?.as) {
    case 'percent':
      return 'not a percentage with a % sign';
    case 'currency':
      return `not an amount in ${reading.symbol}`;
    case 'date':
      return reading.order === 'ymd' ? 'not a date' : `not a date (${orderText(reading.order)})`;
    case 'text':
      return 'read as text';
    default:
      return 'not a number';
  }
}

export function orderText(order: DateOrder): string {
  return { ymd: 'year-month-day', dmy: 'day/month/year', mdy: 'month/day/year' }[order];
}

/** How a column is read, for people: "days since 2024-01-31"; empty: as plain numbers. */
export function readingText(reading: ColumnReading | null | undefined): string {
  switch (reading?.as) {
    case 'percent':
      return reading.unit === 'fraction' ? '12 % read as 0.12' : '12 % read as 12';
    case 'currency':
      return `amounts without ${reading.symbol}`;
    case 'date': {
      const order = reading.order === 'ymd' ? '' : `, dates as ${orderText(reading.order)}`;
      return `days since ${reading.origin}${order}`;
    }
    case 'text':
      return 'text';
    default:
      return '';
  }
}

const percentSign = /\s*[%\uff05]$/;

/** Without a percent sign it could be either, except 0 and if nothing is divided. */
function percentOf(cell: string, style: NumberStyle, unit: 'fraction' | 'percent'): number {
  const text = cell.trim();
  const bare = text.replace(percentSign, '');
  const number = numberOf(bare, style);
  if (unit === 'percent' || number === 0) return number;
  return bare === text ? Number.NaN : number / 100;
}

const codes =
  'USD|EUR|GBP|JPY|CHF|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|NZD|BRL|MXN|ZAR|KRW|TRY|ILS|SGD|HKD';
const symbols = `US\\$|A\\$|C\\$|R\\$|\\p{Sc}|${codes}|kr\\.?|zł|Kč|Fr\\.`;
const before = new RegExp(
  `^(\\(?)([+\\-\u2212]?)\\s*(${symbols})\\s*([+\\-\u2212]?\\s*[^()]+?)(\\)?)$`,
  'u',
);
const behind = new RegExp(`^(\\(?)()([+\\-\u2212]?[^()]+?)\\s*(${symbols})(\\)?)$`, 'u');

/** Longest text that is examined. */
const longest = 40;

interface Amount {
  readonly symbol: string;
  readonly value: number;
}

/** "€ 1.200,50", "1 200 kr", "(£3.20)" for a negative one; null: not an amount. */
function amountOf(cell: string, style: NumberStyle): Amount | null {
  if (cell.length > longest) return null;
  const text = cell.trim();
  const first = before.exec(text);
  const last = first === null ? behind.exec(text) : null;
  const [, open = '', sign = '', a = '', b = '', close = ''] = first ?? last ?? [];
  const [symbol, digits] = first === null ? [b, a] : [a, b];
  if (symbol === '' || (open === '') !== (close === '')) return null;
  const number = numberOf(`${sign}${digits.replace(/^([+\-\u2212])\s+/, '$1')}`, style);
  return Number.isFinite(number) ? { symbol, value: open === '' ? number : -number } : null;
}

function amountIn(cell: string, style: NumberStyle, symbol: string): number {
  const plain = numberOf(cell, style);
  if (!Number.isNaN(plain)) return plain;
  const amount = amountOf(cell, style);
  return amount !== null && amount.symbol === symbol ? amount.value : Number.NaN;
}

export interface GuessedReading {
  /** Null: plain numbers, or texts. */
  readonly reading: ColumnReading | null;
  /** All currencies in the column. */
  readonly symbols: readonly string[];
  /** Its dates can be read with either the day or the month first. */
  readonly isOrderOpen: boolean;
}

const none: GuessedReading = { reading: null, symbols: [], isOrderOpen: false };

/** Tested first, since most texts are neither. */
const mayBeAmount = new RegExp(`^\\(?[+\\-\u2212]?\\s*(?:${symbols})|(?:${symbols})\\)?$`, 'u');
const mayBeDate = /^(?:\d{1,4}[-/.\s]|[A-Za-z]{3,9}\.? \d)/;

const orders = ['ymd', 'dmy', 'mdy'] as const;

/** What most cells of a column are. `prefersDay`: the file comes from a region that writes the day first. */
export function guessReading(
  cells: readonly string[],
  style: NumberStyle,
  prefersDay: boolean,
): GuessedReading {
  const counts = new SpecialCounts(style);
  for (const cell of cells) if (!isMissing(cell)) counts.add(cell);
  return counts.guess(cells, prefersDay);
}

class SpecialCounts {
  private present = 0;
  private numbers = 0;
  private percents = 0;
  private readonly amounts = new Map<string, number>();
  private readonly dates = { ymd: 0, dmy: 0, mdy: 0 };
  private hasDots = false;

  constructor(private readonly style: NumberStyle) {}

  add(cell: string): void {
    this.present++;
    if (!Number.isNaN(numberOf(cell, this.style))) this.numbers++;
    else if (/\d/.test(cell) && cell.length <= longest) this.addSpecial(cell);
  }

  private addSpecial(cell: string): void {
    if (percentSign.test(cell) && !Number.isNaN(percentOf(cell, this.style, 'percent'))) {
      this.percents++;
      return;
    }
    const symbol = mayBeAmount.test(cell) ? amountOf(cell, this.style)?.symbol : undefined;
    if (symbol !== undefined) {
      this.amounts.set(symbol, (this.amounts.get(symbol) ?? 0) + 1);
      return;
    }
    if (!mayBeDate.test(cell)) return;
    for (const order of orders) if (!Number.isNaN(dayOf(cell, order))) this.dates[order]++;
    this.hasDots ||= /^\d+\.\d+\.\d/.test(cell);
  }

  guess(cells: readonly string[], prefersDay: boolean): GuessedReading {
    const half = this.present / 2;
    const { ymd, dmy, mdy } = this.dates;
    const numAmounts = [...this.amounts.values()].reduce((sum, count) => sum + count, 0);
    if (this.percents > half) return { ...none, reading: { as: 'percent', unit: 'fraction' } };
    if (numAmounts > 0 && numAmounts + this.numbers > half) {
      const symbols = [...this.amounts].sort((a, b) => b[1] - a[1]).map(([symbol]) => symbol);
      return { ...none, reading: { as: 'currency', symbol: symbols[0] ?? '' }, symbols };
    }
    if (Math.max(dmy, mdy) <= half) return none;
    const isOrderOpen = dmy === mdy && dmy > ymd;
    const order = orderOf(this.dates, prefersDay || this.hasDots);
    return { ...none, reading: { as: 'date', order, origin: earliest(cells, order) }, isOrderOpen };
  }
}

function orderOf({ ymd, dmy, mdy }: Record<DateOrder, number>, prefersDay: boolean): DateOrder {
  if (dmy === mdy) return ymd === dmy ? 'ymd' : prefersDay ? 'dmy' : 'mdy';
  return dmy > mdy ? 'dmy' : 'mdy';
}

/** The earliest date of a column, "2024-01-31". */
function earliest(cells: readonly string[], order: DateOrder): string {
  let first = Number.POSITIVE_INFINITY;
  for (const cell of cells) {
    const day = isMissing(cell) ? Number.NaN : dayOf(cell, order);
    if (day < first) first = day;
  }
  return dayText(Number.isFinite(first) ? first : 0);
}
