/** The contents of a data object: its entries, and one of them as a table, all as a tree, or the text. */
import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { EntryDescription } from '../../../formats/describe-data.ts';
import { Card } from '../../ui/card.tsx';
import type { BranchQuestion } from '../../ui/json-branch.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Note } from '../../ui/note.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { type HeadTitle, TableHead } from '../../ui/table-head.tsx';
import classes from './data.module.css';
import type { PreviewSummary, TableInfo } from './preview-document.ts';
import { createPreviewSource, type PreviewSource } from './preview-source.ts';
import { VirtualTable } from './virtual-table.tsx';

type Opened =
  | { readonly state: 'reading' }
  | { readonly state: 'failed' }
  | { readonly state: 'open'; readonly source: PreviewSource; readonly summary: PreviewSummary };

/** Remount it (by `key`) for different bytes. */
export function ContentView({ bytes, fmt }: { bytes: Uint8Array; fmt: string }) {
  const [opened, setOpened] = useState<Opened>({ state: 'reading' });
  useEffect(() => {
    const source = createPreviewSource(bytes.length);
    let isGone = false;
    source.ask('open', { bytes, fmt }).then(
      (summary) => {
        if (!isGone) setOpened({ state: 'open', source, summary });
      },
      () => {
        if (!isGone) setOpened({ state: 'failed' });
      },
    );
    return () => {
      isGone = true;
      source.stop();
    };
  }, [bytes, fmt]);
  if (opened.state === 'reading') return <PageSkeleton />;
  if (opened.state === 'failed')
    return <Note gap="around">This is not a text file, so it is not shown here.</Note>;
  return <Document source={opened.source} summary={opened.summary} />;
}

type Shape = 'table' | 'tree' | 'text';

function Document({ source, summary }: { source: PreviewSource; summary: PreviewSummary }) {
  const { kind, problem, rounding, entries, tables, head, isCut } = summary;
  const shapes: { value: Shape; label: string }[] = [
    ...(tables.length > 0 ? [{ value: 'table' as const, label: 'Table' }] : []),
    ...(kind === 'json' || kind === 'dump' ? [{ value: 'tree' as const, label: 'Tree' }] : []),
    { value: 'text', label: 'Text' },
  ];
  const [shape, setShape] = useState<Shape>(shapes[0]?.value ?? 'text');
  const [name, setName] = useState(tables[0] ?? '');
  const askBranch = useCallback((ask: BranchQuestion) => source.ask('branch', ask), [source]);
  return (
    <>
      {problem !== null && <p className={classes.problem}>{problem}</p>}
      {entries.length > 0 && (
        <Entries
          entries={entries}
          tables={tables}
          onShow={(entry) => {
            setName(entry);
            setShape('table');
          }}
        />
      )}
      {rounding !== null && <Note gap="around">{rounding}</Note>}
      <div className={classes.shape}>
        <SegmentedControl
          aria-label="Show as"
          value={shape}
          onChange={(value) => setShape(value as Shape)}
          data={shapes}
        />
        {shape === 'table' && tables.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="Entry"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data={tables.map((table) => ({ value: table, label: table || 'The whole file' }))}
          />
        )}
      </div>
      {shape === 'table' && <Table key={name} source={source} name={name} />}
      {shape === 'tree' && <JsonTree ask={askBranch} />}
      {shape === 'text' && (
        <>
          {/* a scrolling region must be reachable by keyboard */}
          <Card as="pre" className={classes.text} tabIndex={0} aria-label="Text of the file">
            {head}
            {isCut && '\n…'}
          </Card>
          {isCut && (
            <Note gap="around">
              The first {formatCount(head.length)} characters. Download the file to see all of it.
            </Note>
          )}
        </>
      )}
    </>
  );
}

function Table({ source, name }: { source: PreviewSource; name: string }) {
  const [info, setInfo] = useState<TableInfo | null>(null);
  useEffect(() => {
    let isGone = false;
    source.ask('table', name).then(
      (table) => {
        if (!isGone) setInfo(table);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [source, name]);
  if (info === null) return null;
  const { numRows, columns } = info;
  return (
    <>
      <VirtualTable
        label={name === '' ? 'Rows of the file' : `Values of ${name}`}
        numRows={numRows}
        columns={columns}
        load={(rows, range) => source.ask('cells', { name, rows, columns: range })}
      />
      <Note gap="around">
        {formatCount(numRows)} {numRows === 1 ? 'row' : 'rows'}, {formatCount(columns.length)}{' '}
        {columns.length === 1 ? 'column' : 'columns'}
      </Note>
    </>
  );
}

const number = { 'data-number': true };
const headTitles: readonly HeadTitle[] = [
  'Name',
  'Type',
  ['Values', number],
  ['From', number],
  ['To', number],
  ['Missing', number],
];

interface EntriesProps {
  readonly entries: readonly EntryDescription[];
  readonly tables: readonly string[];
  readonly onShow: (name: string) => void;
}

/** Only the first entries are listed; the tree has all of them. */
const listedEntries = 200;

function Entries({ entries, tables, onShow }: EntriesProps) {
  return (
    // a scrolling region must be reachable by keyboard
    <Card className={classes.card} aria-label="Entries" tabIndex={0}>
      <table className={classes.entries} aria-label="Entries">
        <TableHead titles={headTitles} />
        <tbody>
          {entries.slice(0, listedEntries).map((entry) => (
            <tr key={entry.name}>
              <th scope="row">
                {tables.includes(entry.name) ? (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    className={classes.entryName}
                    title={`Show ${entry.name} as a table`}
                    onClick={() => onShow(entry.name)}
                  >
                    <code>{entry.name}</code>
                  </Button>
                ) : (
                  <code>{entry.name}</code>
                )}
              </th>
              <td>
                <code>{entry.text}</code>
              </td>
              <td data-number>{formatCount(entry.count)}</td>
              <td data-number>{plain(entry.min)}</td>
              <td data-number>{plain(entry.max)}</td>
              <td data-number>{formatCount(entry.missing)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries.length > listedEntries && (
        <p className={classes.more}>
          {formatCount(entries.length - listedEntries)} more entries are in the tree.
        </p>
      )}
    </Card>
  );
}

function plain(value: number | null): string {
  return value === null ? '–' : String(value).replace('-', '−');
}
