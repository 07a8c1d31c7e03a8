/** Checks the program of a run before it starts: short programs directly, others in a thread. */
import type { ProgramCheck } from '../content/data-labels.ts';
import { ownBuffer } from '../http/body-reader.ts';
import type { ReadingThreads } from '../reading/reading-threads.ts';
import { decodeProgram, type ProgramFiles } from './program.ts';

export interface ProgramToCheck extends ProgramFiles {
  /** The run has data, or a script that makes them. */
  readonly hasData: boolean;
}

/** A program of this many bytes, with all its files, is checked within a few milliseconds, whatever its content. */
const SHORT_BYTES = 4 * 2 ** 10;

/** Without threads, it is checked here. Throws LIMIT_EXCEEDED if the check takes a thread too long. */
export async function checkProgramFiles(
  program: ProgramToCheck,
  reading: ReadingThreads | undefined,
): Promise<ProgramCheck> {
  const { name, files, hasData } = program;
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  if (reading === undefined || bytes <= SHORT_BYTES) return describeProgram(program);
  const buffers = [...files.values()].map(ownBuffer);
  const paths = [...files.keys()];
  const moved = new Map(paths.map((path, i) => [path, new Uint8Array(buffers[i] as ArrayBuffer)]));
  return reading.run('checkProgram', { name, files: moved, hasData }, buffers);
}

/** Errors shown per program: more are not useful, and a generated one may have thousands. */
const MOST_SHOWN = 50;

/** The compiler is loaded when the first program is checked. */
export async function describeProgram(program: ProgramToCheck): Promise<ProgramCheck> {
  const { name, source, files: others } = decodeProgram(program);
  if (source.trim() === '') return faulty(`${name} is empty: there is no program to run.`);
  const { checkProgram } = await import('../../language/check.ts');
  const { hasErrors, render } = await import('../../language/diagnostics.ts');
  const { dimensionNames } = await import('../../language/dimensions.ts');
  const include = (path: string) => others[path] ?? null;
  const { program: tree, diagnostics, files } = checkProgram({ name, text: source }, { include });
  if (!hasErrors(diagnostics)) {
    const fault = program.hasData ? null : missingData(tree.data);
    return fault === null ? { fault, dimensions: dimensionNames(tree) } : faulty(fault);
  }
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  const shown = errors.slice(0, MOST_SHOWN).map((diagnostic) => render(diagnostic, files));
  if (errors.length > MOST_SHOWN)
    shown.push(`${errors.length - MOST_SHOWN} more errors are not shown.`);
  return faulty(shown.join('\n\n'));
}

const faulty = (fault: string): ProgramCheck => ({ fault, dimensions: new Map() });

function missingData(declared: readonly { readonly name: { readonly name: string } }[]) {
  if (declared.length === 0) return null;
  const names = declared.slice(0, 8).map((declaration) => declaration.name.name);
  if (declared.length > names.length) names.push('…');
  return `The program reads data (${names.join(', ')}) but this run has none: choose data for the workflow.`;
}
