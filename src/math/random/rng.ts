/** The random numbers a chain consumes: one stream a (seed, chain, purpose), with a state that a checkpoint can hold. */
export interface Rng {
  /** Uniform on the open interval (0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** Standard exponential. */
  exponential(): number;
  /** Uniform integer in [0, 2^32). */
  uint32(): number;
  /** Everything needed to go on bit-identically, as plain numbers. */
  state(): number[];
}
