/** How often a property is tried: `npm run fuzz` sets a number for all properties that benefit from more. */

/** `usual`: in all other test runs. */
export function countRuns(usual: number): number {
  const { FUZZ_RUNS } = process.env;
  return FUZZ_RUNS === undefined ? usual : Number(FUZZ_RUNS);
}
