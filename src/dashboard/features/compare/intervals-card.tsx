/** Each variable in each experiment: its interval on one axis, and the run's numbers next to it. */
import { ActionIcon, Menu, useComputedColorScheme } from '@mantine/core';
import { IconDots, IconFileTypeSvg, IconPhoto } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { SummaryRow } from '../../../contract/draws.ts';
import { comparedDash, dashArray, plotPalettes } from '../../../figures/palette.ts';
import { essFigure, rhatFigure, verdictLimits } from '../../../posterior/verdict-limits.ts';
import { type ExportKind, exportFigure } from '../../plots/export-figure.ts';
import { Card } from '../../ui/card.tsx';
import { axisTicks, type Scale, scaleOf } from '../../ui/interval-scale.ts';
import { formatNumber } from '../../ui/numbers.ts';
import { showToast } from '../../ui/toasts.tsx';
import classes from './compare.module.css';
import { comparedForestRows } from './compared-forest.ts';
import { comparedColors, comparedPalette } from './compared-style.ts';
import { MarkShape, markCentre } from './mark.tsx';
import type { NumbersGroup, NumbersRow } from './numbers.ts';
import type { ComparedRun } from './use-compared.ts';

export interface IntervalsCardProps {
  readonly runs: readonly ComparedRun[];
  readonly groups: readonly NumbersGroup[];
}

const title = 'Intervals side by side';

export function IntervalsCard({ runs, groups }: IntervalsCardProps) {
  const scale = useMemo(
    () => scaleOf(groups.flatMap(({ rows }) => rows.flatMap(({ row }) => row ?? []))),
    [groups],
  );
  return (
    <Card className={classes.card} aria-labelledby="compare-intervals">
      <header className={classes.cardHead}>
        <h2 id="compare-intervals">Intervals</h2>
        <span className={classes.dim}>median, 25 to 75 % thick, 5 to 95 % thin</span>
        <FileMenu runs={runs} groups={groups} />
      </header>
      {/* a scrolling region must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={title}>
        <table className={classes.table} data-numbers data-intervals>
          <thead>
            <tr>
              <th scope="col">Variable</th>
              <th scope="col" className={classes.letterCell}>
                <span className="visually-hidden">Experiment</span>
              </th>
              <th scope="col" className={classes.intervalCell}>
                <span className="visually-hidden">5 to 95 % interval</span>
                {scale !== null && <Axis scale={scale} />}
              </th>
              <th scope="col">Mean</th>
              <th scope="col">SD</th>
              <th scope="col">R-hat</th>
              <th scope="col">ESS bulk</th>
              <th scope="col">ESS tail</th>
            </tr>
          </thead>
          {groups.map((group) => (
            <tbody key={group.variable}>
              {group.rows.map((row, i) => (
                <tr key={row.run.id}>
                  {i === 0 && (
                    <th scope="rowgroup" rowSpan={group.rows.length}>
                      <code title={group.variable}>{group.name}</code>
                    </th>
                  )}
                  <td className={classes.letterCell}>{row.run.letter}</td>
                  <RunCells {...row} scale={scale} decimals={group.decimals} />
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </section>
    </Card>
  );
}

interface RunCellsProps extends NumbersRow {
  readonly scale: Scale | null;
  readonly decimals: number;
}

function RunCells({ run, row, scale, decimals }: RunCellsProps) {
  if (row === null)
    return (
      <td colSpan={6} className={classes.absent}>
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
  const says = intervalText(row, decimals);
  return (
    <>
      <td className={classes.intervalCell} title={says}>
        <span className="visually-hidden">{says}</span>
        {scale !== null && <IntervalLine row={row} scale={scale} index={run.index} />}
      </td>
      <td>{formatNumber(row.mean, decimals)}</td>
      <td>{formatNumber(row.sd, decimals)}</td>
      <td data-tone={toneOf((row.rhat ?? 0) > limit.bad, (row.rhat ?? 0) > limit.warn)}>
        {row.constant ? 'constant' : rhatFigure(row.rhat)}
      </td>
      {ess(row.ess_bulk)}
      {ess(row.ess_tail)}
    </>
  );
}

/** Colour alone is not enough: numbers that fail a check are bold too. */
function toneOf(isBad: boolean, isWarn: boolean): 'bad' | 'warn' | undefined {
  return isBad ? 'bad' : isWarn ? 'warn' : undefined;
}

/** "−0.9 to 9.9, median 4.5" */
function intervalText({ q5, median, q95 }: SummaryRow, decimals: number): string {
  const text = (value: number | null) => formatNumber(value, decimals);
  return `${text(q5)} to ${text(q95)}, median ${text(median)}`;
}

/** Position of a value on the axis, in per cent: the column is as wide as the card allows. */
const percent = (value: number, { low, high }: Scale) =>
  `${((100 * (value - low)) / (high - low)).toFixed(3)}%`;

const lineHeight = 20;

function Axis({ scale }: { scale: Scale }) {
  return (
    <svg width="100%" height={lineHeight} className={classes.intervalLine} aria-hidden="true">
      {axisTicks(scale).map((tick) => (
        <text key={tick} x={percent(tick, scale)} y={14} textAnchor="middle">
          {String(tick).replace('-', '−')}
        </text>
      ))}
    </svg>
  );
}

interface IntervalLineProps {
  readonly row: SummaryRow;
  readonly scale: Scale;
  readonly index: number;
}

/** Dash, symbol and colour are the experiment's in every plot of the page. */
function IntervalLine({ row: { q5, q25, median, q75, q95 }, scale, index }: IntervalLineProps) {
  const palette = plotPalettes[useComputedColorScheme('light')];
  if (q5 === null || q25 === null || median === null || q75 === null || q95 === null) return null;
  const color = comparedColors(palette)[index];
  const at = (value: number) => percent(value, scale);
  const y = lineHeight / 2;
  return (
    <svg width="100%" height={lineHeight} className={classes.intervalLine} aria-hidden="true">
      {scale.low < 0 && scale.high > 0 && (
        <line x1={at(0)} x2={at(0)} y1={0} y2={lineHeight} className={classes.zeroLine} />
      )}
      <g stroke={color}>
        <line
          x1={at(q5)}
          x2={at(q95)}
          y1={y}
          y2={y}
          strokeWidth={1.5}
          strokeDasharray={dashArray(comparedDash(index))}
        />
        <line x1={at(q25)} x2={at(q75)} y1={y} y2={y} strokeWidth={5} />
      </g>
      <svg x={at(median)} y={y} overflow="visible" aria-hidden="true">
        <g transform={`translate(${-markCentre.x} ${-markCentre.y})`}>
          <MarkShape index={index} />
        </g>
      </svg>
    </svg>
  );
}

function FileMenu({ runs, groups }: IntervalsCardProps) {
  const save = (kind: ExportKind) => {
    const palette = plotPalettes.light;
    const rows = comparedForestRows(
      runs,
      groups.map(({ variable }) => variable),
    );
    const options = {
      palette: comparedPalette(palette),
      alone: true,
      compared: true,
      maxRows: rows.length,
    };
    exportFigure(kind, { kind: 'forest', rows, options }, { fileName: title, label: title }).catch(
      (error: unknown) =>
        showToast({
          message: `Not saved: ${error instanceof Error ? error.message : String(error)}`,
          tone: 'bad',
        }),
    );
  };
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon className={classes.right} size={24} aria-label={`Menu of ${title}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPhoto size={16} />} onClick={() => save('png')}>
          Save as PNG
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypeSvg size={16} />} onClick={() => save('svg')}>
          Save as SVG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
