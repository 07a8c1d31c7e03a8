/** One button per variable with more than one scale: its name in the pairs plot, and a menu to change the scale. */
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import classes from '../run/experiment.module.css';
import {
  nameOnScale,
  possibleScales,
  readScale,
  ScaleItems,
  writeScale,
} from './variable-scale.tsx';

export interface ScaleChoiceProps {
  readonly rows: readonly SummaryRow[];
  /** As stored in the address. */
  readonly scales: readonly string[];
  readonly onScales: (scales: readonly string[]) => void;
}

export function ScaleChoice({ rows, scales, onScales }: ScaleChoiceProps) {
  const choosable = rows.filter((row) => possibleScales(row).length > 1);
  if (choosable.length === 0) return null;
  return (
    <fieldset className={classes.scales}>
      <legend>Scales</legend>
      {choosable.map((row) => {
        const { variable } = row;
        const scale = readScale(scales, variable);
        return (
          <Menu key={variable} position="bottom-start" withinPortal>
            <Menu.Target>
              <Button
                size="compact-xs"
                aria-label={`Scale of ${shownName(row)}`}
                rightSection={<IconChevronDown size={13} />}
              >
                <code>{nameOnScale(row, scale)}</code>
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <ScaleItems
                row={row}
                scale={scale}
                onScale={(next) => onScales(writeScale(scales, variable, next))}
              />
            </Menu.Dropdown>
          </Menu>
        );
      })}
    </fieldset>
  );
}
