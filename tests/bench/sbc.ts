/**
 * Calibration by simulation of four programs that are right and four with known faults:
 *
 *   npm run bench -- sbc [NAME…] [--simulations 1000] [--seed 1]
 *
 * Prints for each the smallest p-value of its quantities, times their number, for Pearson's chi-square over twenty ranges
 * of ranks and for Kolmogorov's distance of the ECDF. Status 1 if a right program falls below 0.001 or a fault is missed.
 */
import { parseArgs } from 'node:util';
import type { CalibratedQuantity } from '../../src/posterior/calibration.ts';
import { calibrateProgram } from '../support/calibrate.ts';
import {
  type CalibratedProgram,
  rightPrograms,
  wrongPrograms,
} from '../support/calibration-programs.ts';
import { chiSquareP, kolmogorovP } from '../support/uniformity.ts';
import { isNamed } from './posterior-options.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    simulations: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});
const simulations = Number(options.simulations);
const limit = 0.001;

const positionsOf = ({ ranks }: CalibratedQuantity): number[] =>
  ranks.flatMap((rank) => (rank === null ? [] : [rank.position]));

/** Bonferroni: the smallest of K p-values, times K. */
const jointly = (p: readonly number[]): number => Math.min(1, p.length * Math.min(...p));

function measure(name: string, program: CalibratedProgram, isRight: boolean): boolean {
  const before = performance.now();
  const { calibration, verdict } = calibrateProgram(program, {
    simulations,
    seed: Number(options.seed),
  });
  const positions = calibration.quantities.map(positionsOf);
  const chiSquare = jointly(positions.map((own) => chiSquareP(own, 20)));
  const ecdf = jointly(positions.map(kolmogorovP));
  const isUniform = Math.min(chiSquare, ecdf) >= limit;
  const cells = [
    (isUniform === isRight ? 'as expected' : 'WRONG').padEnd(11),
    String(positions.length).padStart(10),
    chiSquare.toPrecision(2).padStart(10),
    ecdf.toPrecision(2).padStart(10),
    ((performance.now() - before) / 1000).toFixed(0).padStart(5),
  ];
  console.log(`${name.padEnd(48)} ${cells.join(' ')}  ${verdict.headline}`);
  return isUniform === isRight;
}

console.log(`${simulations} simulations each, seed ${options.seed}`);
console.log(
  `${'program'.padEnd(48)} ${'result'.padEnd(11)} quantities  p chi-sq.     p ECDF     s  verdict`,
);
let isEachRight = true;
for (const [programs, isRight] of [
  [rightPrograms, true],
  [wrongPrograms, false],
] as const) {
  for (const [name, program] of Object.entries(programs))
    if (isNamed(name, positionals)) isEachRight = measure(name, program, isRight) && isEachRight;
}
process.exitCode = isEachRight ? 0 : 1;
