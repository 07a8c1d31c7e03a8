/** Intervals as plain SVG in table cells: thin q5–q95, thick q25–q75, ring at the median, one shared axis. */
import { axisTicks, type IntervalRow, type Scale } from '../../../ui/interval-scale.ts';
import classes from './interval.module.css';

const width = 110;
const height = 20;

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
