/** How far mean and sd of each variable are from the baseline's, in each other experiment. */
import { IconArrowsDiff, IconCheck, IconQuestionMark } from '@tabler/icons-react';
import { formatNumber, missing } from '../../ui/numbers.ts';
import classes from './compare.module.css';
import { type Difference, mcseLabel, sdLabel } from './differences.ts';
import { RunLetter } from './mark.tsx';
import type { NumbersGroup, NumbersRow } from './numbers.ts';
import type { ComparedRun } from './use-compared.ts';

export interface DifferencesTableProps {
  readonly groups: readonly NumbersGroup[];
  readonly base: ComparedRun;
}

export function DifferencesTable({ groups, base }: DifferencesTableProps) {
  return (
    // a scrolling region must be reachable by keyboard
    <section
      className={classes.scroll}
      tabIndex={0}
      aria-label="Differences by variable and experiment"
    >
      <table className={classes.table} data-numbers>
        <thead>
          <tr>
            <th scope="col">Variable</th>
            <th scope="col">
              <span className="visually-hidden">Experiment</span>
            </th>
            <th scope="col" className={classes.label}>
              Mean against {base.letter}
            </th>
            <th scope="col" className={classes.label}>
              SD against {base.letter}
            </th>
          </tr>
        </thead>
        {groups.map(withoutBase(base)).map((group) => (
          <tbody key={group.variable}>
            {group.rows.map((row, i) => (
              <tr key={row.run.id}>
                {i === 0 && (
                  <th scope="rowgroup" rowSpan={group.rows.length}>
                    <code title={group.variable}>{group.name}</code>
                  </th>
                )}
                <td className={classes.markCell}>
                  <RunLetter run={row.run} />
                </td>
                <DifferenceCells base={base} row={row} decimals={group.decimals} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

const withoutBase = (base: ComparedRun) => (group: NumbersGroup) => ({
  ...group,
  rows: group.rows.filter(({ run }) => run !== base),
});

function DifferenceCells({ base, row: { run, row, mean, sd }, decimals }: DifferenceCellsProps) {
  if (row === null || !base.rows.has(row.variable))
    return (
      <td colSpan={2} className={classes.absent}>
        {run.summary === null
          ? 'no draws here'
          : `not in ${row === null ? run.letter : base.letter}`}
      </td>
    );
  return (
    <>
      <DifferenceCell difference={mean} decimals={decimals} withSd />
      <DifferenceCell difference={sd} decimals={decimals} />
    </>
  );
}

interface DifferenceCellsProps {
  readonly base: ComparedRun;
  readonly row: NumbersRow;
  readonly decimals: number;
}

const icons = { same: IconCheck, unsure: IconQuestionMark, apart: IconArrowsDiff, none: null };

interface DifferenceCellProps {
  /** `baseline` = of itself; null = not computed. */
  readonly difference: Difference | 'baseline' | null;
  readonly decimals: number;
  readonly withSd?: boolean;
}

function DifferenceCell({ difference, decimals, withSd = false }: DifferenceCellProps) {
  if (difference === 'baseline')
    return (
      <td className={classes.label}>
        <span className={classes.dim}>baseline</span>
      </td>
    );
  if (difference === null) return <td className={classes.label}>{missing}</td>;
  const Icon = icons[difference.tone];
  const size = [mcseLabel(difference), withSd ? sdLabel(difference) : ''].filter(Boolean);
  const sign = (difference.value ?? 0) > 0 ? '+' : '';
  return (
    <td className={classes.label} data-difference={difference.tone}>
      {Icon !== null && <Icon size={13} stroke={1.8} aria-hidden="true" />}
      <span>
        {difference.value === null || difference.value === 0
          ? ''
          : `${sign}${formatNumber(difference.value, decimals)}, `}
        {size.length > 0 && difference.value !== 0 ? `${size.join(', ')}: ` : ''}
        {difference.label}
      </span>
    </td>
  );
}
