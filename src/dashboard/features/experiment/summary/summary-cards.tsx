/** The summary on a phone: two lines per variable, with mean ± sd, its interval, and warnings. */
import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef } from 'react';
import { decimalsForMcse } from '../../../../posterior/decimals.ts';
import { kindLabels, type VariableKind } from '../../../../posterior/variable-kinds.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import { rhatFigure } from '../../../../posterior/verdict-limits.ts';
import { itemAt } from '../../../../shared/items.ts';
import { type Scale, scaleOf } from '../../../ui/interval-scale.ts';
import { formatCount, formatNumber } from '../../../ui/numbers.ts';
import { usePrinting } from '../../../ui/printing.ts';
import type { IntervalChoice } from '../run/interval-choice.ts';
import { Interval } from './interval.tsx';
import classes from './summary-cards.module.css';
import { checksOf, intervalEnds, type TableRow } from './summary-columns.ts';
import { mostPrinted, type SectionHead, type TableEntry } from './summary-sections.ts';

/** Pixels, as in the stylesheet. */
const rowHeight = 68;
const headHeight = 44;

export interface SummaryCardsProps {
  readonly entries: readonly TableEntry[];
  readonly interval: IntervalChoice;
  readonly numChains: number;
  readonly selected: string;
  readonly onSelect: (variable: string) => void;
  readonly onFold: (kind: VariableKind) => void;
}

export function SummaryCards(props: SummaryCardsProps) {
  const { entries, interval, numChains, selected, onSelect, onFold } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // As in the table: neither the log density nor folded variables squeeze the others.
  const scale = useMemo(
    () => scaleOf(entries.flatMap(({ row }) => (row && row.variable !== 'lp__' ? [row] : []))),
    [entries],
  );
  // Keys depend on the entries: the same number of them may have their heads elsewhere.
  const getItemKey = useCallback(
    (index: number) => {
      const { head, row } = itemAt(entries, index);
      return head === undefined ? row.variable : `section ${head.kind}`;
    },
    [entries],
  );
  // oxlint-disable-next-line react/incompatible-library -- no compiler caches what it returns here
  const virtual = useVirtualizer({
    count: entries.length,
    getItemKey,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (itemAt(entries, index).head === undefined ? rowHeight : headHeight),
    overscan: 8,
    initialRect: { width: 360, height: 600 },
  });
  const isWhole = usePrinting() && entries.length <= mostPrinted;
  const places = virtual.getVirtualItems().map(({ index, start, size }) => ({
    index,
    style: { height: size, transform: `translateY(${start}px)` },
  }));
  const shown = isWhole ? [...entries.keys()].map((index) => ({ index, style: inFlow })) : places;
  return (
    <div ref={scroller} className={classes.cards}>
      <ul style={isWhole ? inFlow : { height: virtual.getTotalSize() }}>
        {shown.map(({ index, style }) => {
          const { head, row } = itemAt(entries, index);
          return (
            <li key={getItemKey(index)} style={style}>
              {head === undefined ? (
                <UnstyledButton
                  className={classes.card}
                  data-selected={row.variable === selected || undefined}
                  aria-pressed={row.variable === selected}
                  onClick={() => onSelect(row.variable)}
                >
                  <Numbers row={row} interval={interval} numChains={numChains} scale={scale} />
                </UnstyledButton>
              ) : (
                <Section head={head} onFold={onFold} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const inFlow = { height: 'auto', transform: 'none' } as const;

interface SectionProps {
  readonly head: SectionHead;
  readonly onFold: (kind: VariableKind) => void;
}

function Section({ head, onFold }: SectionProps) {
  const { kind, count, arrays, isFolded } = head;
  const Chevron = isFolded ? IconChevronRight : IconChevronDown;
  return (
    <UnstyledButton
      className={classes.section}
      aria-expanded={!isFolded}
      onClick={() => onFold(kind)}
    >
      <Chevron size={16} aria-hidden="true" />
      <strong>{kindLabels[kind]}</strong> <span>{formatCount(count)}</span>
      {isFolded && <code>{arrays.join(', ')}</code>}
    </UnstyledButton>
  );
}

interface NumbersProps {
  readonly row: TableRow;
  readonly interval: IntervalChoice;
  readonly numChains: number;
  readonly scale: Scale | null;
}

function Numbers({ row, interval, numChains, scale }: NumbersProps) {
  const decimals = decimalsForMcse(row.mcse_mean, row.mean ?? 0);
  const checks = checksOf(row, numChains);
  const [low, high] = intervalEnds[interval].map((key) => row[key] ?? null);
  // An interval is read at a glance: it shows one decimal fewer than the mean.
  const ends = Math.max(0, decimals - 1);
  const isBad = checks.tone === 'warn' || checks.tone === 'bad';
  return (
    <>
      <code title={row.variable}>{shownName(row)}</code>
      <span className={classes.mean}>
        <strong>{formatNumber(row.mean, decimals)}</strong> ± {formatNumber(row.sd, decimals)}
      </span>
      <span className={classes.drawn}>
        {isBad ? (
          <span className={classes.checks} data-tone={checks.tone}>
            <IconAlertTriangle size={14} aria-hidden="true" /> {checks.label}
            {row.rhat !== null && `, R-hat ${rhatFigure(row.rhat)}`}
          </span>
        ) : (
          scale !== null && row.variable !== 'lp__' && <Interval row={row} scale={scale} />
        )}
      </span>
      <span className={classes.ends}>
        {formatNumber(low, ends)} to {formatNumber(high, ends)}
      </span>
    </>
  );
}
