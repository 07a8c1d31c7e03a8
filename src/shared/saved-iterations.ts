/** Saved iterations of a phase: the first, then every `thin`-th. JAGS counts differently (`formats/jags-settings.ts`). */
export const savedIterations = (iterations: number, thin: number): number =>
  Math.ceil(iterations / Math.max(1, thin));
