/** Numbers as people and spreadsheets write them: decimal point or comma, thousands, and missing values. */

export type NumberStyle = 'point' | 'comma';

const missingTexts = new Set(
  ' . - ? na n/a nan null none missing #n/a #na #null! #num! #value! #ref! #div/0! #name? <na>'.split(
    ' ',
  ),
);

/** Empty cells, `NA` and similar, and the error values of spreadsheets. */
export function isMissing(cell: string): boolean {
  return cell.length < 9 && missingTexts.has(cell.trim().toLowerCase());
}

const point = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const comma = /^[+-]?(?:\d+,?\d*|,\d+)(?:[eE][+-]?\d+)?$/;
const pointThousands = /^[+-]?\d{1,3}(?:[,\s'\u2019]\d{3})+(?:\.\d+)?$/;
const commaThousands = /^[+-]?\d{1,3}(?:[.\s'\u2019]\d{3})+(?:,\d+)?$/;
const infinite = /^([+-]?)inf(?:inity)?$/i;

/** The number in a cell; NaN if there is none. */
export function numberOf(cell: string, style: NumberStyle): number {
  const text = cell.trim().replace('\u2212', '-');
  if (style === 'point') {
    if (point.test(text)) return Number(text);
    if (pointThousands.test(text)) return Number(text.replace(/[,\s'\u2019]/g, ''));
  } else {
    if (comma.test(text)) return Number(text.replace(',', '.'));
    if (commaThousands.test(text))
      return Number(text.replace(/[.\s'\u2019]/g, '').replace(',', '.'));
  }
  const sign = infinite.exec(text)?.[1];
  if (sign === undefined) return Number.NaN;
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export interface FileStyle {
  readonly style: NumberStyle;
  /** Cells such as 1,234 are numbers in both styles, and nothing else in the file decides. */
  readonly isOpen: boolean;
}

/**
 * The style of an entire file: cells that only one style can read decide. Groups of three alone ("1,234") are thousands
 * if commas separate the cells, and decimals if semicolons do.
 */
export function styleOf(cells: Iterable<string>, delimiter: string): FileStyle {
  let [points, commas, numOpen] = [0, 0, 0];
  for (const cell of cells) {
    if (!cell.includes(',') && !cell.includes('.')) continue;
    // Percent and currency signs next to numbers.
    const text = /[%\p{Sc}]/u.test(cell) ? cell.replace(/[%\p{Sc}]/gu, '') : cell;
    const [asPoint, asComma] = [numberOf(text, 'point'), numberOf(text, 'comma')];
    if (Number.isNaN(asPoint) === Number.isNaN(asComma)) {
      if (Number.isNaN(asPoint)) continue;
      numOpen++;
      if (delimiter === ';' && cell.includes(',')) commas += 0.001;
    } else if (Number.isNaN(asPoint)) commas++;
    else points++;
  }
  const isDecided = points >= 1 || commas >= 1;
  return { style: commas > points ? 'comma' : 'point', isOpen: numOpen > 0 && !isDecided };
}
