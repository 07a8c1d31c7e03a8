/** What identifies a compared experiment: its letter, and its colour, dash and symbol as in the plots. */
import { useComputedColorScheme } from '@mantine/core';
import { comparedDash, comparedSymbol, dashArray, plotPalettes } from '../../../figures/palette.ts';
import classes from './compare.module.css';
import { comparedColors } from './compared-style.ts';
import type { ComparedRun } from './use-compared.ts';

const shapes = [
  <circle key="a" cx={13} cy={6} r={3.4} />,
  <path key="b" d="M13 1.8 17.2 6 13 10.2 8.8 6Z" />,
  <rect key="c" x={9.8} y={2.8} width={6.4} height={6.4} />,
  <path key="d" d="M13 2 17 9.4H9Z" />,
  <path key="e" d="M11.6 2.2h2.8v2.4h2.4v2.8h-2.4v2.4h-2.8V7.4H9.2V4.6h2.4Z" />,
  <path key="f" d="M13 10 17 2.6H9Z" />,
];

/** The centre of every shape. */
export const markCentre = { x: 13, y: 6 } as const;

/** The symbol alone, around {@link markCentre}. */
export function MarkShape({ index }: { index: number }) {
  const palette = plotPalettes[useComputedColorScheme('light')];
  const color = comparedColors(palette)[index];
  const isHollow = comparedSymbol(index).endsWith('-open');
  return (
    <g fill={isHollow ? palette.surface : color} stroke={color} strokeWidth={1.6}>
      {shapes[index]}
    </g>
  );
}

export function Mark({ index }: { index: number }) {
  const palette = plotPalettes[useComputedColorScheme('light')];
  const color = comparedColors(palette)[index];
  return (
    <svg width={26} height={12} viewBox="0 0 26 12" aria-hidden="true" style={{ flex: 'none' }}>
      <line
        x1={0}
        x2={26}
        y1={6}
        y2={6}
        stroke={color}
        strokeWidth={1.6}
        strokeDasharray={dashArray(comparedDash(index))}
      />
      <MarkShape index={index} />
    </svg>
  );
}

export function RunLetter({ run }: { run: ComparedRun }) {
  return (
    <span className={classes.letter}>
      <Mark index={run.index} /> {run.letter}
    </span>
  );
}

/** Head of a table with one column per experiment. */
export function RunHead({ title, runs }: { title: string; runs: readonly ComparedRun[] }) {
  return (
    <thead>
      <tr>
        <th scope="col">{title}</th>
        {runs.map((run) => (
          <th key={run.id} scope="col">
            <RunLetter run={run} />
          </th>
        ))}
      </tr>
    </thead>
  );
}
