/** The tools above the summary: filter, order, interval, columns, and the table as files. */
import { ActionIcon, Button, Checkbox, Menu, Popover, Select, TextInput } from '@mantine/core';
import {
  IconColumns3,
  IconDownload,
  IconFileTypeCsv,
  IconMathFunction,
  IconSearch,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { saveFile } from '../../../ui/save-file.ts';
import page from '../run/experiment.module.css';
import type { SummarySort } from '../run/experiment-search.ts';
import { type IntervalChoice, intervalChoices, intervalLabels } from '../run/interval-choice.ts';
import {
  choosableColumns,
  type SummaryColumn,
  shownColumns,
  type TableRow,
} from './summary-columns.ts';
import { tableAsCsv, tableAsLatex } from './summary-export.ts';
import classes from './summary-table.module.css';

export interface SummaryToolsProps {
  readonly search: string;
  readonly sort: SummarySort;
  readonly interval: IntervalChoice;
  readonly chosen: readonly string[];
  /** What is currently shown, for the files. */
  readonly rows: readonly TableRow[];
  readonly columns: readonly SummaryColumn[];
  /** Shown as cards because there is little room. */
  readonly isPhone?: boolean;
  /** Name of the files, without extension. */
  readonly fileName: string;
  /** Which draws the table is based on, if not all: "First 82 draws of each chain". */
  readonly usage: string | null;
  /** Opens the labels of dimensions; absent if they cannot be changed. */
  readonly labels?: ReactNode;
  readonly onChange: (change: {
    q?: string;
    sort?: SummarySort;
    interval?: IntervalChoice;
    columns?: readonly string[];
  }) => void;
}

export function SummaryTools(props: SummaryToolsProps) {
  const { search, sort, interval, onChange } = props;
  const [isSearchOpen, setSearchOpen] = useState(false);
  const isFolded = props.isPhone === true && search === '' && !isSearchOpen;
  return (
    <div className={page.toolbar}>
      {isFolded ? (
        <ActionIcon
          variant="default"
          size={44}
          aria-label="Filter variables"
          onClick={() => setSearchOpen(true)}
        >
          <IconSearch size={16} />
        </ActionIcon>
      ) : (
        <TextInput
          autoFocus={isSearchOpen}
          onBlur={() => setSearchOpen(false)}
          className={page.toolbarSearch}
          aria-label="Filter variables"
          placeholder="Name or /regex/"
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={(event) => onChange({ q: event.currentTarget.value })}
        />
      )}
      <Button
        variant={sort === 'worst' ? 'light' : 'default'}
        aria-pressed={sort === 'worst'}
        onClick={() => onChange({ sort: sort === 'worst' ? 'model' : 'worst' })}
      >
        Worst first
      </Button>
      <Select
        aria-label="Interval"
        w={196}
        allowDeselect={false}
        value={interval}
        data={intervalChoices.map((value) => ({ value, label: intervalLabels[value].label }))}
        onChange={(value) => onChange({ interval: (value ?? '90') as IntervalChoice })}
      />
      {props.usage !== null && <p className={classes.usage}>{props.usage}.</p>}
      <span className={page.toolbarEnd}>
        {props.labels}
        {/* Cards have no columns. */}
        {props.isPhone !== true && <ColumnChooser {...props} />}
        <ExportMenu {...props} />
      </span>
    </div>
  );
}

function ExportMenu({ rows, columns, fileName }: SummaryToolsProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button leftSection={<IconDownload size={16} />}>Export</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconFileTypeCsv size={16} />}
          onClick={() => saveFile(`${fileName}-summary.csv`, 'text/csv', tableAsCsv(rows, columns))}
        >
          CSV, all digits
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMathFunction size={16} />}
          onClick={() =>
            saveFile(`${fileName}-summary.tex`, 'application/x-latex', tableAsLatex(rows, columns))
          }
        >
          LaTeX, as shown
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ColumnChooser({ chosen, onChange }: SummaryToolsProps) {
  const shown = shownColumns(chosen);
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button leftSection={<IconColumns3 size={16} />}>Columns</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className={classes.columns}>
          <legend>Columns shown</legend>
          {choosableColumns.map(({ key, title }) => (
            <Checkbox
              key={key}
              label={title}
              checked={shown.includes(key)}
              disabled={shown.length === 1 && shown.includes(key)}
              onChange={(event) =>
                onChange({
                  columns: event.currentTarget.checked
                    ? [...shown, key]
                    : shown.filter((other) => other !== key),
                })
              }
            />
          ))}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
