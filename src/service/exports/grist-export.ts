/** A Grist document of a run: its draws, its summary, and the facts about the run, on one page each. */
import initSqlJs from 'sql.js';
import type { Summary } from '../../contract/draws.ts';
import { createGristWriter, type GristWriter, MOST_GRIST_COLUMNS } from '../../formats/grist.ts';
import { shownName } from '../../posterior/variable-labels.ts';
import { type DrawColumn, listColumns } from '../repositories/draws.ts';
import { listExportChains, readChainColumns } from './chain-columns.ts';
import { type ExportChain, ExportError, type ExportRequest } from './export-content.ts';

/** Limits on rows and cells of the draws: Grist loads a document into memory and becomes slow beyond them. */
const MOST_ROWS = 200_000;
const MOST_CELLS = 4_000_000;
/** Rows written without a pause: about 20 ms. */
const CELLS_AT_ONCE = 20_000;

export interface GristExtras {
  readonly summary: Summary;
  /** Names and values of the facts about the run, in order. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** Throws {@link ExportError} when there are more draws than Grist can handle. */
export async function* gristContent(
  request: ExportRequest,
  extras: () => Promise<GristExtras>,
): AsyncGenerator<Buffer> {
  const columns = await listColumns(request.pool, request.draws.experimentId);
  const chains = await listExportChains(request);
  checkSize(chains, columns);
  const writer = createGristWriter(await initSqlJs());
  try {
    const { summary, facts } = await extras();
    await writeDraws(writer, request, { chains, columns });
    writeSummary(writer, summary);
    writeFacts(writer, facts);
    yield Buffer.from(writer.finish());
  } finally {
    writer.discard();
  }
}

function checkSize(chains: readonly ExportChain[], columns: readonly DrawColumn[]): void {
  const rows = chains.reduce((sum, chain) => sum + chain.length, 0);
  const instead = 'Choose CSV or ArviZ, or fewer iterations (n_iteration).';
  if (columns.length + 2 > MOST_GRIST_COLUMNS)
    throw new ExportError(
      `There are ${columns.length} variables; a Grist table holds at most ${MOST_GRIST_COLUMNS - 2}. Choose CSV or ArviZ.`,
    );
  if (rows > MOST_ROWS || rows * columns.length > MOST_CELLS)
    throw new ExportError(
      `There are ${rows} draws of ${columns.length} variables; a Grist document holds at most ${MOST_ROWS} rows and ${MOST_CELLS} cells. ${instead}`,
    );
}

async function writeDraws(
  writer: GristWriter,
  request: ExportRequest,
  { chains, columns }: { chains: readonly ExportChain[]; columns: readonly DrawColumn[] },
): Promise<void> {
  const table = writer.table({
    name: 'Draws',
    columns: [
      { label: 'Chain', type: 'Text' },
      { label: 'Iteration', type: 'Int' },
      ...columns.map((column) => ({ label: column.name, type: 'Numeric' as const })),
    ],
  });
  // Requests are answered in between.
  const pause = Math.max(1, Math.floor(CELLS_AT_ONCE / columns.length));
  for (const chain of chains) {
    const byName = new Map<string, Float64Array>();
    for await (const { variable, values } of readChainColumns(request, chain))
      byName.set(variable, values);
    const all = columns.map((column) => byName.get(column.name));
    for (let i = 0; i < chain.length; i++) {
      table.addRow([chain.name, i + 1, ...all.map((values) => values?.[i] ?? null)]);
      if (i % pause === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  table.end();
}

const statistics = [
  'mean',
  'mcse_mean',
  'sd',
  'median',
  'mad',
  'q5',
  'q25',
  'q75',
  'q95',
  'rhat',
  'ess_bulk',
  'ess_tail',
] as const;

function writeSummary(writer: GristWriter, summary: Summary): void {
  const isLabelled = summary.variables.some(({ label }) => label !== undefined);
  const table = writer.table({
    name: 'Summary',
    columns: [
      { label: 'Variable', type: 'Text' },
      ...(isLabelled ? [{ label: 'Label', type: 'Text' as const }] : []),
      ...statistics.map((label) => ({ label, type: 'Numeric' as const })),
    ],
  });
  for (const row of summary.variables)
    table.addRow([
      row.variable,
      ...(isLabelled ? [shownName(row)] : []),
      ...statistics.map((statistic) => row[statistic]),
    ]);
  table.end();
}

function writeFacts(writer: GristWriter, facts: GristExtras['facts']): void {
  const table = writer.table({
    name: 'Run',
    columns: [
      { label: 'Name', type: 'Text' },
      { label: 'Value', type: 'Text' },
    ],
  });
  for (const fact of facts) table.addRow(fact);
  table.end();
}
