/** How often a property is tried: `npm run fuzz` names a number for all that only gain by more. */

/** `usual`: in every other run of the tests. */
export function countRuns(usual: number): number {
  const { FUZZ_RUNS } = process.env;
  return FUZZ_RUNS === undefined ? usual : Number(FUZZ_RUNS);
}
