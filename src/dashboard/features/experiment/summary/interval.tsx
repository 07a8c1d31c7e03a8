/** Intervals as plain SVG in table cells: thin q5–q95, thick q25–q75, ring at the median, one shared axis. */
import classes from './interval.module.css';

export interface Scale {
  readonly low: number;
  readonly high: number;
}

export interface IntervalRow {
  readonly q5: number | null;
  readonly q25: number | null;
  readonly median: number | null;
  readonly q75: number | null;
  readonly q95: number | null;
}

const width = 110;
const height = 20;

/** A scale that holds the 90 % intervals of all rows and zero when it is near. Null when no row has one. */
export function scaleOf(rows: readonly IntervalRow[]): Scale | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { q5, q95 } of rows) {
    if (q5 === null || q95 === null) continue;
    low = Math.min(low, q5);
    high = Math.max(high, q95);
  }
  if (!(high >= low)) return null;
  const span = high - low || 1;
  if (low > 0 && low < 0.5 * span) low = 0;
  if (high < 0 && -high < 0.5 * span) high = 0;
  return { low: low - 0.04 * span, high: high + 0.04 * span };
}

/** Three to seven round values inside the scale. */
export function axisTicks({ low, high }: Scale): number[] {
  const power = 10 ** Math.floor(Math.log10(high - low));
  const countOf = (step: number) => Math.floor(high / step) - Math.ceil(low / step) + 1;
  const step = [5, 2, 1, 0.5].map((m) => m * power).find((size) => countOf(size) >= 3);
  const used = step ?? 0.2 * power;
  return Array.from({ length: countOf(used) }, (_, i) =>
    Number(((Math.ceil(low / used) + i) * used).toPrecision(12)),
  );
}

const place = (value: number, scale: Scale) =>
  ((value - scale.low) / (scale.high - scale.low)) * width;

export function IntervalAxis({ scale }: { scale: Scale }) {
  return (
    <svg width={width} height={height} className={classes.interval} aria-hidden="true">
      {axisTicks(scale).map((tick) => (
        <text key={tick} x={place(tick, scale)} y={14} textAnchor="middle" className={classes.tick}>
          {String(tick).replace('-', '−')}
        </text>
      ))}
    </svg>
  );
}

export function Interval({ row, scale }: { row: IntervalRow; scale: Scale }) {
  const { q5, q25, median, q75, q95 } = row;
  if (q5 === null || q25 === null || median === null || q75 === null || q95 === null) return null;
  const x = (value: number) => place(value, scale);
  const y = height / 2;
  return (
    <svg width={width} height={height} className={classes.interval} aria-hidden="true">
      {scale.low < 0 && scale.high > 0 && (
        <line x1={x(0)} x2={x(0)} y1={0} y2={height} className={classes.zero} />
      )}
      <line x1={x(q5)} x2={x(q95)} y1={y} y2={y} strokeWidth={1.5} />
      <line x1={x(q25)} x2={x(q75)} y1={y} y2={y} strokeWidth={5} />
      <circle cx={x(median)} cy={y} r={3.5} strokeWidth={1.5} />
    </svg>
  );
}
