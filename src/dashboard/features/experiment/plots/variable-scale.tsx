/** The scale on which traces and pairs show a variable: chosen per variable, stored in the address. */
import { Menu } from '@mantine/core';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { type VariableScale, variableScales } from '../../../../figures/figure.ts';
import { scaledName } from '../../../../figures/scale.ts';
import { boundsOf } from '../run/figure-variables.ts';

const titles: Readonly<Record<VariableScale, string>> = {
  natural: 'As it is',
  log: 'Log',
  logit: 'Logit',
  unconstrained: 'Unconstrained',
};

const isScale = (text: string): text is VariableScale =>
  (variableScales as readonly string[]).includes(text);

/** The scale of a variable, from entries such as "log tau"; unknown entries are ignored. */
export function readScale(scales: readonly string[], variable: string): VariableScale {
  for (const entry of scales) {
    const space = entry.indexOf(' ');
    const scale = entry.slice(0, space);
    if (entry.slice(space + 1) === variable && isScale(scale)) return scale;
  }
  return 'natural';
}

/** The entries after changing the scale of one variable. */
export function writeScale(
  scales: readonly string[],
  variable: string,
  scale: VariableScale,
): readonly string[] {
  const others = scales.filter((entry) => entry.slice(entry.indexOf(' ') + 1) !== variable);
  return scale === 'natural' ? others : [...others, `${scale} ${variable}`];
}

/** Scales on which most of its draws have a value, judging by its bounds and quantiles. */
export function possibleScales(row: SummaryRow): readonly VariableScale[] {
  const low = row.lower ?? row.q5 ?? Number.NEGATIVE_INFINITY;
  const high = row.upper ?? row.q95 ?? Number.POSITIVE_INFINITY;
  const isPositive = row.lower === undefined ? low > 0 : low >= 0;
  return [
    'natural',
    ...(isPositive ? (['log'] as const) : []),
    ...(isPositive && (row.upper === undefined ? high < 1 : high <= 1) ? (['logit'] as const) : []),
    ...(row.lower !== undefined || row.upper !== undefined ? (['unconstrained'] as const) : []),
  ];
}

/** The variable's name on a scale: `log(tau)`. */
export function nameOnScale(row: SummaryRow, scale: VariableScale): string {
  return scaledName({ variable: row.variable, label: row.label, ...boundsOf(row), scale });
}

export interface ScaleItemsProps {
  readonly row: SummaryRow;
  readonly scale: VariableScale;
  readonly onScale: (scale: VariableScale) => void;
}

/** Menu entries, one per scale, each with the variable's name on it. */
export function ScaleItems({ row, scale, onScale }: ScaleItemsProps) {
  return (
    <>
      <Menu.Label>Scale</Menu.Label>
      {possibleScales(row).map((one) => (
        <Menu.RadioItem
          key={one}
          value={one}
          checked={one === scale}
          closeMenuOnClick
          onChange={() => onScale(one)}
        >
          {titles[one]}
          {one === 'unconstrained' && `: ${nameOnScale(row, one)}`}
        </Menu.RadioItem>
      ))}
    </>
  );
}
