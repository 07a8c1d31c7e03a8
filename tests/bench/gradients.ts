/**
 * What a gradient costs with the adjoint phase and with the tape alone, in processor time of one run:
 *
 *   npm run bench -- gradients [NAME…]
 *
 * and which statements the adjoint phase leaves to the tape, in these programs and, if no names are given, also in the
 * samples and the gallery.
 */
import { compileModel, libraryKeys } from '../../src/engine/compile-model.ts';
import type { Model } from '../../src/engine/model.ts';
import { gallery } from '../../src/gallery/gallery.ts';
import { compileProgram } from '../../src/language/compile.ts';
import { goodPrograms } from '../language/sample-programs.ts';
import { countRegions } from '../support/back-ends.ts';
import { testRng } from '../support/stan-program.ts';
import { type GradientCase, gradientCases } from './gradient-cases.ts';
import { isNamed } from './posterior-options.ts';

const rounds = 7;
const roundMs = 60;

/** Microseconds of this thread's processor time: other programs on the machine affect it less than the wall clock. */
function cpu(): number {
  return process.cpuUsage().user;
}

/** Microseconds per gradient of each model, the best of alternating rounds: what disturbs one disturbs all. */
function microsecondsOf(models: readonly Model[]): number[] {
  const [{ numUnconstrained }] = models;
  const rng = testRng(5);
  const theta = Float64Array.from({ length: numUnconstrained }, () => 0.2 * rng.normal());
  const gradient = new Float64Array(numUnconstrained);
  const best = models.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    models.forEach((model, m) => {
      const start = cpu();
      let count = 0;
      while (cpu() - start < 1000 * roundMs) {
        for (let k = 0; k < 8; k++, count++) model.logDensityGradient(theta, gradient);
      }
      best[m] = Math.min(best[m], (cpu() - start) / count);
    });
  }
  return best;
}

function compiled({ source, data }: GradientCase, adjoint: boolean) {
  const start = performance.now();
  const result = compileModel({ source, data, rng: testRng(), adjoint });
  if (!result.ok) throw new Error(result.message);
  return { ...result, ms: performance.now() - start };
}

const names = process.argv.slice(2);
const widths = [26, 9, 9, 7, 8, 8, 7];
const print = (cells: readonly string[]) =>
  console.log(
    cells.map((cell, i) => (i === 0 ? cell.padEnd(26) : cell.padStart(widths[i]))).join(' '),
  );

print(['program', 'adjoint', 'tape', 'times', 'regions', 'compile', 'size']);
const onTape: [string, readonly string[]][] = [];
let product = 1;
let count = 0;
for (const [name, load] of Object.entries(gradientCases)) {
  if (!isNamed(name, names)) continue;
  const gradientCase = load();
  const [adjoint, tape] = [compiled(gradientCase, true), compiled(gradientCase, false)];
  const { javascript } = adjoint.program;
  onTape.push([name, adjoint.program.onTape]);
  const [fast, slow] = microsecondsOf([adjoint.model, tape.model]);
  product *= slow / fast;
  count++;
  print([
    name,
    fast.toFixed(2),
    slow.toFixed(2),
    (slow / fast).toFixed(2),
    String(countRegions(javascript)),
    `${adjoint.ms.toFixed(0)} ms`,
    `${(javascript.length / gradientCase.source.length).toFixed(1)} ×`,
  ]);
}
console.log(
  `µs a gradient; geometric mean of the ratios ${(product ** (1 / Math.max(1, count))).toFixed(2)}`,
);

if (names.length === 0) {
  for (const { name, text } of goodPrograms) {
    onTape.push([name, compileProgram(text, { libraryKeys }).program?.onTape ?? []]);
  }
  for (const { slug, files, entranceFile } of gallery) {
    const include = (path: string) => files[path] ?? null;
    const { program } = compileProgram(files[entranceFile], { libraryKeys, include });
    onTape.push([slug, program?.onTape ?? []]);
  }
}
console.log('\nStatements with loops or vectors that stay on the tape:');
for (const [name, reasons] of onTape) {
  for (const reason of reasons) console.log(`${name.padEnd(26)} ${reason}`);
}
