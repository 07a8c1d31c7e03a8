/** The first rows of the file, with what each column is and what it becomes. */
import type { DataMapping } from '../../../formats/data-meta.ts';
import { columnsOf } from '../../../mapping/apply-mapping.ts';
import { dayOf, dayText } from '../../../mapping/date-cell.ts';
import type { ColumnInfo, ColumnKind } from '../../../mapping/table.ts';
import { formatCount } from '../../ui/numbers.ts';
import classes from './mapper.module.css';
import type { OpenedTable } from './mapping-answers.ts';

/** Columns beyond this number are named, not shown. */
const mostColumns = 40;

export function TablePreview({ table, mapping }: { table: OpenedTable; mapping: DataMapping }) {
  const { info, rows, numRows, how } = table;
  const shown = info.slice(0, mostColumns);
  const uses = usesOf(mapping);
  return (
    <>
      <p className={classes.note}>
        {formatCount(numRows)} {numRows === 1 ? 'row' : 'rows'}, {formatCount(info.length)}{' '}
        {info.length === 1 ? 'column' : 'columns'}
        {how !== '' && `; ${how}`}
        {rows.length < numRows && `. The first ${rows.length} rows:`}
      </p>
      {/* What scrolls must be reachable by keys. */}
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="First rows">
        <table className={classes.preview}>
          <thead>
            <tr>
              <th scope="col" aria-label="Row" />
              {shown.map((column) => (
                <th key={column.name} scope="col" data-used={uses.has(column.name) || undefined}>
                  <span className={classes.column}>{column.name}</span>
                  <span className={classes.kind}>{kindText(column)}</span>
                  {column.numMissing > 0 && (
                    <span className={classes.gaps}>{formatCount(column.numMissing)} missing</span>
                  )}
                  <span className={classes.use}>
                    {uses.get(column.name)?.join(', ') ?? '\u00a0'}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, cells }) => (
              <tr key={number}>
                <th scope="row">{number}</th>
                {shown.map((column, index) => (
                  <td key={column.name} data-number={column.kind !== 'text' || undefined}>
                    {cells[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {info.length > mostColumns && (
        <p className={classes.note}>{info.length - mostColumns} more columns can be chosen.</p>
      )}
    </>
  );
}

const kinds: Readonly<Record<ColumnKind, string>> = {
  integer: 'whole numbers',
  number: 'numbers',
  date: 'dates',
  flag: 'yes or no',
  text: 'text',
  empty: 'empty',
};

function kindText({ kind, min, max, numLevels, reading }: ColumnInfo): string {
  if (reading?.as === 'date' && kind === 'date') return datesText(reading.origin, min, max);
  if (kind === 'text') return `text, ${formatCount(numLevels)} different`;
  if (min === null || max === null || kind === 'flag') return kinds[kind];
  return `${kinds[kind]}, ${shown(min)} to ${shown(max)}`;
}

/** Day numbers are shown as dates. */
function datesText(origin: string, min: number | null, max: number | null): string {
  if (min === null || max === null) return kinds.date;
  const from = dayOf(origin, 'ymd');
  return `dates, ${dayText(from + min)} to ${dayText(from + max)}`;
}

/** Names of variables by column. */
function usesOf({ variables, rowLabels }: DataMapping): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  const add = (column: string, use: string) => {
    const known = uses.get(column) ?? [];
    if (!known.includes(use)) uses.set(column, [...known, use]);
  };
  for (const [name, source] of Object.entries(variables))
    for (const column of columnsOf(source)) add(column, `→ ${name}`);
  if (rowLabels !== null) add(rowLabels, '→ labels');
  return uses;
}

const shown = (n: number) => String(Number(n.toPrecision(5))).replace('-', '\u2212');
