/** Reads whole files of draws with the readers of pieces. */
import type { DrawsTable } from '../../src/formats/draws-table.ts';
import { createDrawsCsvReader } from '../../src/formats/long-csv.ts';
import { createStanCsvReader, type StanCsvChain } from '../../src/formats/stan-csv-reader.ts';

/** Throws `DrawsCsvError`. */
export function readDrawsCsv(text: string): DrawsTable {
  const reader = createDrawsCsvReader();
  reader.push(text);
  return reader.end();
}

/** Throws `StanCsvError`. */
export function readStanCsv(text: string): StanCsvChain {
  const reader = createStanCsvReader();
  reader.push(text);
  return reader.end();
}
