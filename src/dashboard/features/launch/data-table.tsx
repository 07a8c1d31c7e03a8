/** The data block against the data, entry by entry. */
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import type { DataCheck } from '../../editor/data-check.ts';
import { TableHead } from '../../ui/table-head.tsx';
import classes from './launch.module.css';

export function DataTable({ check, hasData }: { check: DataCheck | null; hasData: boolean }) {
  if (check === null || check.state === 'no-program') return null;
  if (check.state === 'broken-program')
    return (
      <p className={classes.note}>The program has errors, so its data block is not known yet.</p>
    );
  if (check.state === 'no-json') {
    return (
      <p role="alert" className={classes.problem}>
        {check.message}
      </p>
    );
  }
  const { rows, extra } = check;
  if (rows.length === 0) return <p className={classes.note}>The program reads no data.</p>;
  return (
    <>
      <table className={classes.check}>
        <TableHead titles={['Data block', 'Expects', 'Found']} />
        <tbody>
          {rows.map(({ name, wants, found, isGood }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                <code>{wants}</code>
              </td>
              <td>
                {hasData ? (
                  <span className={classes.found} data-good={isGood || undefined}>
                    {isGood ? (
                      <IconCheck size={16} role="img" aria-label="fits" />
                    ) : (
                      <IconAlertCircle size={16} role="img" aria-label="does not fit" />
                    )}
                    {found}
                  </span>
                ) : (
                  '–'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasData && extra.length > 0 && (
        <p className={classes.note}>
          Not read by the program: {extra.slice(0, 8).join(', ')}
          {extra.length > 8 && ` and ${extra.length - 8} more`}
        </p>
      )}
    </>
  );
}
