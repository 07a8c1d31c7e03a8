/** The settings of the experiments: only the differences, or everything. */
import { Button } from '@mantine/core';
import { Card } from '../../ui/card.tsx';
import { missing } from '../../ui/numbers.ts';
import classes from './compare.module.css';
import { joinNames } from './compared-style.ts';
import { RunHead } from './mark.tsx';
import { settingRows } from './settings-diff.ts';
import type { ComparedRun } from './use-compared.ts';

export interface SettingsCardProps {
  readonly runs: readonly ComparedRun[];
  readonly showAll: boolean;
  readonly onShowAll: (all: boolean) => void;
}

export function SettingsCard({ runs, showAll, onShowAll }: SettingsCardProps) {
  const known = runs.filter((run) => run.experiment !== null);
  const rows = settingRows(known.flatMap(({ experiment }) => experiment ?? []));
  const differing = rows.filter((row) => row.differs);
  const same = rows.length - differing.length;
  const shown = showAll ? rows : differing;
  const silent = known.filter(({ experiment }) => !experiment?.meta?.settings);
  return (
    <Card className={classes.card} aria-labelledby="compare-settings">
      <header className={classes.cardHead}>
        <h2 id="compare-settings">Settings</h2>
        <span className={classes.dim}>
          {differing.length === 0 ? 'no differences' : `${differing.length} differ`}, {same} the
          same
        </span>
        {same > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            className={classes.right}
            aria-pressed={showAll}
            onClick={() => onShowAll(!showAll)}
          >
            {showAll ? 'Only differences' : 'Show all'}
          </Button>
        )}
      </header>
      {silent.length > 0 && (
        <p className={classes.cardText}>
          The server does not report the settings of {joinNames(silent.map(({ letter }) => letter))}
          .
        </p>
      )}
      {shown.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <RunHead title="Setting" runs={known} />
            <tbody>
              {shown.map((row) => (
                <tr key={row.key} data-differs={row.differs || undefined}>
                  <th scope="row">
                    <code>{row.key}</code>
                    {showAll && row.differs && <span className={classes.dim}> differs</span>}
                  </th>
                  {row.values.map((value, i) => (
                    <td key={known[i]?.id} className={classes.setting} title={value ?? undefined}>
                      {value ?? missing}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
