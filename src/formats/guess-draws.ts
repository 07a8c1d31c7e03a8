/** Guesses which kind of finished run a file is, from its first bytes, header row and name. */
import { splitCsvLine } from './csv-cell.ts';
import type { DrawFile } from './draw-source.ts';
import { ImportError, type ImportType } from './imported-draws.ts';
import { sniffNetcdf } from './netcdf-mark.ts';
import { parseNumber } from './number-text.ts';
import { isTuringHeader } from './turing-csv.ts';

/** The kind of a file, from its name and first bytes. Throws {@link ImportError} if it is none of the known kinds. */
export function guessType({ name, bytes }: DrawFile): ImportType {
  if (sniffNetcdf(bytes) !== null || /\.(?:nc|nc4|cdf|h5|hdf5)$/i.test(name)) return 'arviz netcdf';
  const text = new TextDecoder().decode(bytes.subarray(0, 2 ** 20)).replace(/^\ufeff/, '');
  if (text.includes('\u0000'))
    throw new ImportError(
      'The format is not recognised: the file looks like neither CSV nor netCDF 4.',
    );
  const lines = text.split('\n');
  const header = lines.find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  if (isTuringHeader(header)) return 'turing csv';
  const names = splitCsvLine(header).map((name) => name.trim());
  const isStan = lines.some(
    (line) =>
      line.startsWith('#') &&
      /stan_version|method =|Elapsed Time|lements of inverse mass matrix/.test(line),
  );
  // A row of our own long CSV may contain the word too, but next to a number.
  const isDraws =
    names.includes('lp__') &&
    names.every((name) => parseNumber(name) === null && !/^\.?(?:chain|iteration)$/.test(name));
  return isStan || isDraws ? 'stan csv' : 'draws csv';
}
