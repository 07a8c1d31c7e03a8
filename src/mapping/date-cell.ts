/** Dates as people and spreadsheets write them → days since 1970-01-01; a time of day is a share of the day. */

/** Which number comes first if the order is not obvious, as it is in `2024-05-31` and `31 May 2024`. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy';

const time =
  '(?:[T,]?\\s*(\\d{1,2}):(\\d{2})(?::(\\d{2}(?:[.,]\\d{1,9})?))?\\s*([AaPp])?\\.?(?:[Mm]\\.?)?\\s*(Z|[+-]\\d{2}:?\\d{2})?)?';
const yearFirst = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${time}$`);
const yearLast = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${time}$`);
/** Spreadsheets abbreviate years only with slashes; with dots it may be a version number. */
const shortYear = new RegExp(`^(\\d{1,2})(/)(\\d{1,2})/(\\d{2})${time}$`);
const dayName = new RegExp(
  `^(\\d{1,2})[-\\s./]{1,2}([A-Za-z]{3,9})[-\\s.,/]{1,2}(\\d{4}|\\d{2})${time}$`,
);
const nameDay = new RegExp(`^([A-Za-z]{3,9})\\.? (\\d{1,2})(?:,| |, )(\\d{4})${time}$`);

const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** Longest text that is examined. */
const longest = 40;

/** Days since 1970-01-01; NaN: it is not a date in this order. */
export function dayOf(cell: string, order: DateOrder): number {
  if (cell.length > longest) return Number.NaN;
  const text = cell.trim();
  const first = yearFirst.exec(text);
  if (first !== null) return dayAt(+first[1], +first[3], +first[4], first.slice(5));
  const last = yearLast.exec(text) ?? shortYear.exec(text);
  if (last !== null) {
    if (order === 'ymd') return Number.NaN;
    const [month, day] = order === 'mdy' ? [last[1], last[3]] : [last[3], last[1]];
    return dayAt(fullYear(last[4]), +month, +day, last.slice(5));
  }
  const named = dayName.exec(text);
  if (named !== null)
    return dayAt(fullYear(named[3]), monthOf(named[2]), +named[1], named.slice(4));
  const english = nameDay.exec(text);
  if (english !== null)
    return dayAt(+english[3], monthOf(english[1]), +english[2], english.slice(4));
  return Number.NaN;
}

/** Two digits as in Excel: 30 is 1930, 29 is 2029. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 30 ? 2000 + year : 1900 + year;
}

/** 1 to 12; 0: none. English names, in full or the first three letters ("Sept" too). */
function monthOf(name: string): number {
  const lower = name.toLowerCase();
  return (
    months.findIndex(
      (month) =>
        month === lower ||
        month.slice(0, 3) === lower ||
        (lower === 'sept' && month === 'september'),
    ) + 1
  );
}

const dayMs = 86_400_000;

function dayAt(
  year: number,
  month: number,
  day: number,
  clock: readonly (string | undefined)[],
): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month > 0;
  const share = shareOfDay(clock);
  return isReal ? date.getTime() / dayMs + share : Number.NaN;
}

/** Hour, minute, second, half of the day, zone. */
function shareOfDay([hours, minutes, seconds = '0', half, zone]: readonly (
  | string
  | undefined
)[]): number {
  if (hours === undefined || minutes === undefined) return 0;
  const [hour, minute, second] = [+hours, +minutes, +seconds.replace(',', '.')];
  const isPossible = half === undefined ? hour < 24 : hour >= 1 && hour <= 12;
  if (!isPossible || minute > 59 || second >= 61) return Number.NaN;
  const ofDay = half === undefined ? hour : (hour % 12) + (/p/i.test(half) ? 12 : 0);
  return (ofDay * 60 + minute - zoneMinutes(zone)) / 1440 + second / 86_400;
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const size = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -size : size;
}

/** "2024-05-31" for a day, ignoring fractions. */
export function dayText(day: number): string {
  const date = new Date(Math.floor(day) * dayMs);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}
