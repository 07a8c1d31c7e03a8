/**
 * How often a property is tried, and from which seed: `npm run fuzz` sets a number for all properties that benefit from
 * more, and the environment may name another seed.
 */

/** `usual`: in all other test runs. */
export function countRuns(usual: number): number {
  const { FUZZ_RUNS } = process.env;
  return FUZZ_RUNS === undefined ? usual : Number(FUZZ_RUNS);
}

/** `usual`: in all other test runs. */
export function seedOfRuns(usual: number): number {
  const { FUZZ_SEED } = process.env;
  return FUZZ_SEED === undefined ? usual : Number(FUZZ_SEED);
}
