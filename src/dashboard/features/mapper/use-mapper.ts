/** A table being mapped: opened and guessed in a worker, applied after each change, compared with the program. */
import { useEffect, useState } from 'react';
import type {
  ColumnReading,
  DataMapping,
  TableReading,
  VariableSource,
} from '../../../formats/data-meta.ts';
import type { WantedVariable } from '../../../mapping/wanted.ts';
import type { DataCheck } from '../../editor/data-check.ts';
import type { StanService } from '../../editor/stan-service.ts';
import type { MappedText, OpenedTable } from './mapping-answers.ts';
import { createMappingCall, type MappingCall } from './mapping-call.ts';

export interface MapperInput {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Has the program; null: there is none, and the earlier mapping is applied as it is, or each column by its name. */
  readonly service: StanService | null;
  /** Text of data whose mapping is applied again; null: none. */
  readonly earlierText: string | null;
}

interface Opened {
  readonly table: OpenedTable;
  readonly wanted: readonly WantedVariable[];
  readonly notes: readonly string[];
}

/** Of one state of the mapping. */
interface Outcome {
  readonly mapping: DataMapping;
  readonly mapped: MappedText;
  readonly check: DataCheck | null;
}

export interface Mapper {
  /** Why the file cannot be mapped; null: it can, or is still being read. */
  readonly failure: string | null;
  readonly opened: Opened | null;
  /** Of a workbook, whether or not one of them could be opened. */
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  readonly mapping: DataMapping | null;
  /** Of the newest mapping that was applied. */
  readonly outcome: Outcome | null;
  /** Whether the outcome is that of the current mapping. */
  readonly isFresh: boolean;
  readonly setSource: (variable: string, source: VariableSource | null) => void;
  readonly change: (part: Partial<Pick<DataMapping, 'missing' | 'rowLabels'>>) => void;
  /** Opens another sheet of the workbook; the choices for this one are guessed again. */
  readonly openSheet: (sheet: string) => void;
  readonly setReading: (column: string, reading: ColumnReading) => void;
  readonly setDecimal: (decimal: 'point' | 'comma') => void;
}

const plain: TableReading = { sheet: null, decimal: null, columns: {} };

/** Quiet time before a mapping is applied: typing a value must not send a table each time. */
const quietMs = 80;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function useMapper({ name, bytes, service, earlierText }: MapperInput): Mapper {
  const [call, setCall] = useState<MappingCall | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [mapping, setMapping] = useState<DataMapping | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [sheet, setSheet] = useState<string | null>(null);
  const [sheets, setSheets] = useState<readonly string[]>([]);
  useEffect(() => {
    const made = createMappingCall();
    let isOver = false;
    const fail = (error: unknown) => {
      if (!isOver) setFailure(reasonOf(error));
    };
    open(made, { name, bytes, service, earlierText }, sheet).then((read) => {
      if (isOver) return;
      setSheets(read.sheets);
      if (!read.ok) return fail(read.error);
      setOpened(read.opened);
      setMapping(read.mapping);
      setCall(made);
    }, fail);
    return () => {
      isOver = true;
      made.stop();
    };
  }, [name, bytes, service, earlierText, sheet]);
  useEffect(() => {
    if (call === null || mapping === null) return;
    let isOld = false;
    const timer = setTimeout(() => {
      apply(call, mapping, service).then(
        (made) => !isOld && setOutcome(made),
        (error: unknown) => !isOld && setFailure(reasonOf(error)),
      );
    }, quietMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [call, mapping, service]);
  const setReadings = (part: (before: TableReading) => Partial<TableReading>) =>
    setMapping((before) => {
      if (before === null) return null;
      const reading = before.reading ?? plain;
      return { ...before, reading: { ...reading, ...part(reading) } };
    });
  return {
    failure,
    opened: withReadings(opened, outcome),
    sheets,
    sheet: opened?.table.sheet ?? sheet,
    mapping,
    outcome,
    isFresh: outcome !== null && outcome.mapping === mapping,
    setSource: (variable, source) =>
      setMapping((before) => {
        if (before === null) return null;
        const { [variable]: _, ...others } = before.variables;
        return {
          ...before,
          variables: source === null ? others : { ...others, [variable]: source },
        };
      }),
    openSheet: (next) => {
      setFailure(null);
      setOpened(null);
      setMapping(null);
      setOutcome(null);
      setCall(null);
      setSheet(next);
    },
    setReading: (column, reading) =>
      setReadings(({ columns }) => ({ columns: { ...columns, [column]: reading } })),
    setDecimal: (decimal) => setReadings(() => ({ decimal })),
    change: (part) => setMapping((before) => (before === null ? null : { ...before, ...part })),
  };
}

/** The columns as the newest mapping reads them. */
function withReadings(opened: Opened | null, outcome: Outcome | null): Opened | null {
  if (opened === null || outcome === null) return opened;
  const { info, style } = outcome.mapped;
  return { ...opened, table: { ...opened.table, info, style } };
}

type OpenAnswer = { readonly sheets: readonly string[] } & (
  | { readonly ok: true; readonly opened: Opened; readonly mapping: DataMapping }
  | { readonly ok: false; readonly error: string }
);

async function open(
  call: MappingCall,
  { name, bytes, service, earlierText }: MapperInput,
  sheet: string | null,
): Promise<OpenAnswer> {
  const read = await call.ask('open', { bytes, sheet, earlierText });
  if (!read.ok) return read;
  const asked = service === null ? null : await service.ask('wanted', {});
  if (service !== null && asked === null)
    throw new Error('The program has errors, so its data block is not known. Fix them first.');
  if (asked !== null && asked.tuples.length > 0)
    throw new Error(
      `The program reads tuples or complex numbers (${asked.tuples.join(', ')}), which columns cannot hold. Give its data as JSON.`,
    );
  const wanted = asked?.variables ?? null;
  const { mapping, notes } = await call.ask('guess', { wanted, file: name, earlierText });
  const variables = wanted ?? Object.entries(mapping.variables).map(wantedOfSource);
  const { table } = read;
  return { ok: true, sheets: table.sheets, opened: { table, wanted: variables, notes }, mapping };
}

/** Without a program: what the source creates. */
function wantedOfSource([name, source]: readonly [string, VariableSource]): WantedVariable {
  const isCount = ['rows', 'levels', 'width', 'value'].includes(source.from);
  const dims = isCount ? [] : source.from === 'columns' ? [null, null] : [null];
  const isInt = isCount || source.from === 'factor';
  const lower = source.from === 'factor' ? source.base : null;
  return { name, isInt, dims, lower, upper: null, text: '' };
}

async function apply(
  call: MappingCall,
  mapping: DataMapping,
  service: StanService | null,
): Promise<Outcome> {
  const mapped = await call.ask('apply', mapping);
  const check =
    service === null ? null : await service.ask('data', { text: mapped.text, fmt: 'json' });
  return { mapping, mapped, check };
}
