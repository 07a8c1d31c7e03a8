/** A table of numbers by name, with a button that copies it for spreadsheets. */
import { CopyButton } from '../../../ui/copy-button.tsx';
import { missing } from '../../../ui/numbers.ts';
import { type HeadTitle, TableHead } from '../../../ui/table-head.tsx';
import classes from '../run/experiment.module.css';
import table from '../summary/summary-table.module.css';

export interface CopiedTableProps {
  readonly label: string;
  readonly title: string;
  /** "the table of chains" */
  readonly what: string;
  readonly head: readonly string[];
  /** Each begins with its name; null: not recorded. */
  readonly rows: readonly (readonly [name: string, ...cells: (string | null)[]])[];
  readonly note: string;
}

export function CopiedTable({ label, title, what, head, rows, note }: CopiedTableProps) {
  const number = { className: table.number };
  const titles = head.map((name, i): HeadTitle => (i === 0 ? name : [name, number]));
  return (
    <section aria-label={label}>
      <div className={classes.toolbar}>
        <h2 className={classes.sectionTitle}>{title}</h2>
        <CopyButton text={[head, ...rows].map((row) => row.join('\t')).join('\n')} what={what} />
      </div>
      <div className={`${table.tableCard} ${classes.factTable}`}>
        <table className={`${table.table} ${table.still}`}>
          <TableHead titles={titles} />
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                {cells.map((cell, i) => (
                  <td key={head[i + 1]} {...number}>
                    {cell ?? missing}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.note}>{note}</p>
    </section>
  );
}
