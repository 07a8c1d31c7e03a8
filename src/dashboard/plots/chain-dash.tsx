/** A chain's line in a legend: its colour and dash. */
import { chainDashArray } from '../../figures/palette.ts';

export interface ChainDashProps {
  readonly index: number;
  readonly color: string;
  readonly width: number;
}

export function ChainDash({ index, color, width }: ChainDashProps) {
  return (
    <svg width={width} height="8" aria-hidden="true">
      <line
        x1="0"
        x2={width}
        y1="4"
        y2="4"
        stroke={color}
        strokeWidth="2"
        strokeDasharray={chainDashArray(index)}
      />
    </svg>
  );
}
