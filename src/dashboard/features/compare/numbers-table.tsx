/** Mean, sd, R-hat and ESS of each variable in each experiment, and how far they are from the baseline's. */
import { IconArrowsDiff, IconCheck, IconQuestionMark } from '@tabler/icons-react';
import { essFigure, rhatFigure, verdictLimits } from '../../../posterior/verdict-limits.ts';
import { formatNumber, missing } from '../../ui/numbers.ts';
import classes from './compare.module.css';
import { type Difference, mcseLabel, sdLabel } from './differences.ts';
import { RunLetter } from './mark.tsx';
import type { NumbersGroup, NumbersRow } from './numbers.ts';
import type { ComparedRun } from './use-compared.ts';

export interface NumbersTableProps {
  readonly groups: readonly NumbersGroup[];
  readonly base: ComparedRun;
}

export function NumbersTable({ groups, base }: NumbersTableProps) {
  return (
    // a scrolling region must be reachable by keyboard
    <section
      className={classes.scroll}
      tabIndex={0}
      aria-label="Numbers by variable and experiment"
    >
      <table className={classes.table} data-numbers>
        <thead>
          <tr>
            <th scope="col">Variable</th>
            <th scope="col">
              <span className="visually-hidden">Experiment</span>
            </th>
            <th scope="col">Mean</th>
            <th scope="col">SD</th>
            <th scope="col">R-hat</th>
            <th scope="col">ESS bulk</th>
            <th scope="col">ESS tail</th>
            <th scope="col" className={classes.label}>
              Mean against {base.letter}
            </th>
            <th scope="col" className={classes.label}>
              SD against {base.letter}
            </th>
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.variable}>
            {group.rows.map((row, i) => (
              <tr key={row.run.id}>
                {i === 0 && (
                  <th scope="rowgroup" rowSpan={group.rows.length}>
                    <code title={group.variable}>{group.variable}</code>
                  </th>
                )}
                <td className={classes.markCell}>
                  <RunLetter run={row.run} />
                </td>
                <NumberCells row={row} decimals={group.decimals} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function NumberCells({
  row: { run, row, mean, sd },
  decimals,
}: {
  row: NumbersRow;
  decimals: number;
}) {
  if (row === null)
    return (
      <td colSpan={7} className={classes.absent}>
        {run.summary === null ? 'no draws here' : `not in ${run.letter}`}
      </td>
    );
  const chains = run.summary?.n_chains ?? 4;
  const { rhat: limit, essPerChain } = verdictLimits;
  const ess = (value: number | null) => (
    <td
      data-tone={toneOf(
        value !== null && value < essPerChain.bad * chains,
        value !== null && value < essPerChain.warn * chains,
      )}
    >
      {essFigure(value, chains)}
    </td>
  );
  return (
    <>
      <td>{formatNumber(row.mean, decimals)}</td>
      <td>{formatNumber(row.sd, decimals)}</td>
      <td data-tone={toneOf((row.rhat ?? 0) > limit.bad, (row.rhat ?? 0) > limit.warn)}>
        {row.constant ? 'constant' : rhatFigure(row.rhat)}
      </td>
      {ess(row.ess_bulk)}
      {ess(row.ess_tail)}
      <DifferenceCell difference={mean} decimals={decimals} withSd />
      <DifferenceCell difference={sd} decimals={decimals} />
    </>
  );
}

/** A colour alone says nothing: bad numbers are bold too, and the label column says the rest. */
function toneOf(isBad: boolean, isWarn: boolean): 'bad' | 'warn' | undefined {
  return isBad ? 'bad' : isWarn ? 'warn' : undefined;
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
