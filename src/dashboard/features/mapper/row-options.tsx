/** Options for entire rows: those with missing values, and the column that names them. */
import { SegmentedControl, Select } from '@mantine/core';
import type { DataMapping } from '../../../formats/data-meta.ts';
import { rowsText } from '../../../mapping/apply-mapping.ts';
import { formatCount } from '../../ui/numbers.ts';
import classes from './mapper.module.css';
import type { Mapper } from './use-mapper.ts';

export function RowOptions({ mapper: { opened, mapping, outcome, change } }: { mapper: Mapper }) {
  if (opened === null || mapping === null) return null;
  const incomplete = outcome?.mapped.incomplete;
  const texts = opened.table.info.filter(({ kind }) => kind === 'text' || kind === 'integer');
  return (
    <div className={classes.options}>
      {incomplete !== undefined && incomplete.count > 0 && (
        <div className={classes.missing}>
          <div>
            <b>
              {formatCount(incomplete.count)} {incomplete.count === 1 ? 'row has' : 'rows have'}{' '}
              missing values
            </b>
            <span className={classes.note}>{rowsText(incomplete.rows, incomplete.count)}</span>
          </div>
          <SegmentedControl
            aria-label="Rows with missing values"
            value={mapping.missing}
            onChange={(value) => change({ missing: value as DataMapping['missing'] })}
            data={[
              { value: 'stop', label: 'Stop' },
              { value: 'drop', label: 'Leave out' },
            ]}
          />
        </div>
      )}
      <Select
        label="Labels of rows"
        placeholder="None"
        description="Labels of the rows, such as names of schools, shown in plots and tables."
        clearable
        data={texts.map(({ name }) => name)}
        value={mapping.rowLabels}
        onChange={(rowLabels) => change({ rowLabels })}
      />
    </div>
  );
}
