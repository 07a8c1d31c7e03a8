/** Random numbers for a chain: one stream per (seed, chain, purpose), with a state that a checkpoint can store. */
export interface Rng {
  /** Uniform on the open interval (0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** Standard exponential. */
  exponential(): number;
  /** Uniform integer in [0, 2^32). */
  uint32(): number;
  /** Everything needed to continue bit-identically, as plain numbers. */
  state(): number[];
}
