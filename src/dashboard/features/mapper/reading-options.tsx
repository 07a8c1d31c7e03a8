/** How a file is read: the sheet of a workbook, the decimal separator, and columns of more than plain numbers. */
import { SegmentedControl, Select, TextInput } from '@mantine/core';
import type { ColumnReading, DataMapping } from '../../../formats/data-meta.ts';
import { columnsOf } from '../../../mapping/apply-mapping.ts';
import { orderText } from '../../../mapping/cell-reading.ts';
import { dayOf, dayText } from '../../../mapping/date-cell.ts';
import type { ColumnInfo } from '../../../mapping/table.ts';
import classes from './mapper.module.css';
import type { Mapper } from './use-mapper.ts';

export function SheetChoice({ mapper: { sheets, sheet, openSheet } }: { mapper: Mapper }) {
  if (sheets.length < 2) return null;
  return (
    <Select
      label="Sheet"
      allowDeselect={false}
      searchable={sheets.length > 10}
      data={[...new Set(sheets)]}
      value={sheet}
      onChange={(value) => value !== null && value !== sheet && openSheet(value)}
    />
  );
}

/** Beyond this number, columns are read as guessed, unless a variable uses them. */
const mostShown = 12;

export function ReadingOptions({ mapper }: { mapper: Mapper }) {
  const { opened, mapping, setDecimal } = mapper;
  if (opened === null || mapping === null) return null;
  const { info, style, isStyleOpen } = opened.table;
  const special = shownFirst(
    info.filter(({ guessed }) => guessed !== null),
    mapping,
  );
  const isAsked = isStyleOpen || (mapping.reading?.decimal ?? null) !== null;
  if (special.length === 0 && !isAsked && style === 'point') return null;
  return (
    <div className={classes.options}>
      {(isAsked || style === 'comma') && (
        <div className={classes.missing}>
          <div>
            <b>Decimals</b>
            <span className={classes.note}>
              {isStyleOpen
                ? 'The file does not say which: 1,234 could be either.'
                : 'As in the file.'}
            </span>
          </div>
          <SegmentedControl
            aria-label="Decimals"
            value={style}
            onChange={(value) => setDecimal(value as 'point' | 'comma')}
            data={[
              { value: 'point', label: '1,234.5' },
              { value: 'comma', label: '1.234,5' },
            ]}
          />
        </div>
      )}
      {special.slice(0, mostShown).map((column) => (
        <ColumnReadingField key={column.name} column={column} mapper={mapper} />
      ))}
    </div>
  );
}

function shownFirst(columns: readonly ColumnInfo[], mapping: DataMapping): readonly ColumnInfo[] {
  const used = new Set(Object.values(mapping.variables).flatMap(columnsOf));
  return [
    ...columns.filter(({ name }) => used.has(name)),
    ...columns.filter(({ name }) => !used.has(name)),
  ];
}

interface ColumnFieldProps {
  readonly column: ColumnInfo;
  readonly mapper: Mapper;
}

interface ReadingChoice {
  readonly value: string;
  readonly label: string;
  readonly reading: ColumnReading;
}

function ColumnReadingField({ column, mapper }: ColumnFieldProps) {
  const { name, reading, guessed, symbols } = column;
  const choices = choicesOf(column);
  const chosen = choices.find((choice) => isSame(choice.reading, reading));
  return (
    <>
      <Select
        label={`${name} is read as`}
        description={guessed?.as === 'currency' ? currencyNote(symbols) : undefined}
        allowDeselect={false}
        data={choices.map(({ value, label }) => ({ value, label }))}
        value={chosen?.value ?? null}
        onChange={(value) => {
          const choice = choices.find((one) => one.value === value);
          if (choice !== undefined) mapper.setReading(name, choice.reading);
        }}
      />
      {reading?.as === 'date' && (
        <TextInput
          type="date"
          label={`Day 0 of ${name}`}
          value={reading.origin}
          onChange={({ currentTarget: { value } }) => {
            if (!Number.isNaN(dayOf(value, 'ymd')))
              mapper.setReading(name, { ...reading, origin: dayText(dayOf(value, 'ymd')) });
          }}
        />
      )}
    </>
  );
}

const currencyNote = (symbols: readonly string[]) =>
  symbols.length > 1
    ? `Several currencies: ${symbols.join(', ')}. Amounts in any but the first are refused.`
    : 'The currency sign is dropped.';

function choicesOf(column: ColumnInfo): readonly ReadingChoice[] {
  const { guessed } = column;
  const text: ReadingChoice = { value: 'text', label: 'Text', reading: { as: 'text' } };
  switch (guessed?.as) {
    case 'percent':
      return [
        {
          value: 'fraction',
          label: 'Fractions: 12 % is 0.12',
          reading: { as: 'percent', unit: 'fraction' },
        },
        {
          value: 'percent',
          label: 'As written: 12 % is 12',
          reading: { as: 'percent', unit: 'percent' },
        },
        text,
      ];
    case 'currency':
      return [
        { value: 'currency', label: `Numbers, without ${guessed.symbol}`, reading: guessed },
        text,
      ];
    case 'date':
      return [...dateChoices(column, guessed), text];
    default:
      return [text];
  }
}

type DateReading = Extract<ColumnReading, { as: 'date' }>;

/** The order is offered if the dates do not show it, or if it was changed. */
function dateChoices(
  { reading, isOrderOpen }: ColumnInfo,
  guessed: DateReading,
): readonly ReadingChoice[] {
  const current = reading?.as === 'date' ? reading : guessed;
  const orders = [...new Set([guessed.order, current.order, ...(isOrderOpen ? bothOrders : [])])];
  const origins = [...new Set([current.origin, guessed.origin, '1970-01-01'])];
  return orders.flatMap((order) =>
    origins.map((origin) => ({
      value: `${order} ${origin}`,
      label: `${originText(origin, guessed)}${orders.length > 1 ? `, dates as ${orderText(order)}` : ''}`,
      reading: { as: 'date' as const, order, origin },
    })),
  );
}

const bothOrders = ['dmy', 'mdy'] as const;

const originText = (origin: string, guessed: DateReading) =>
  origin === guessed.origin ? `Days since ${origin}, the earliest` : `Days since ${origin}`;

const isSame = (a: ColumnReading, b: ColumnReading | null) =>
  JSON.stringify(a) === JSON.stringify(b);
