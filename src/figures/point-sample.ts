/** The draws shown by a plot of points: an even sample of them, and the divergent ones. */
import type { FigureChain, FigureVariable } from './figure.ts';

export interface DrawPoint {
  readonly chain: FigureChain;
  /** 0-based draw within its chain. */
  readonly draw: number;
  readonly isDivergent: boolean;
  /** One value per variable, in the order given. */
  readonly values: Float64Array;
}

export interface PointSample {
  /** Non-divergent ones first, so that divergences are drawn on top. */
  readonly points: readonly DrawPoint[];
  readonly notes: readonly string[];
}

/**
 * Draws that are finite in every variable, at most about `maxPoints` of each kind (divergent or not), evenly over
 * iterations; the notes say what is left out. The first variable determines which draws diverged.
 */
export function samplePoints(variables: readonly FigureVariable[], maxPoints: number): PointSample {
  const chains = variables[0]?.chains ?? [];
  const lengths = chains.map((_, c) =>
    Math.min(...variables.map((variable) => variable.chains[c]?.sampling.length ?? 0)),
  );
  const flagsOf = (chain: FigureChain) => chain.divergent ?? new Float64Array(0);
  let divergent = 0;
  let total = 0;
  for (const [c, chain] of chains.entries()) {
    total += lengths[c];
    const flags = flagsOf(chain);
    for (let i = 0; i < Math.min(flags.length, lengths[c]); i++) if (flags[i] === 1) divergent++;
  }
  const plainStep = Math.max(1, Math.ceil((total - divergent) / maxPoints));
  const divergentStep = Math.max(1, Math.ceil(divergent / maxPoints));

  const plain: DrawPoint[] = [];
  const marked: DrawPoint[] = [];
  let lost = 0;
  let seenPlain = 0;
  let seenDivergent = 0;
  for (const [c, chain] of chains.entries()) {
    const flags = flagsOf(chain);
    for (let draw = 0; draw < lengths[c]; draw++) {
      const isDivergent = flags[draw] === 1;
      const isWanted = isDivergent
        ? seenDivergent++ % divergentStep === 0
        : seenPlain++ % plainStep === 0;
      if (!isWanted) continue;
      const values = Float64Array.from(variables, (variable) => variable.chains[c].sampling[draw]);
      if (!values.every(Number.isFinite)) lost++;
      else (isDivergent ? marked : plain).push({ chain, draw, isDivergent, values });
    }
  }
  const notes: string[] = [];
  if (plainStep > 1)
    notes.push(`1 in ${plainStep} draws shown${divergent > 0 ? ', divergences kept' : ''}`);
  if (divergentStep > 1) notes.push(`1 in ${divergentStep} divergences shown`);
  if (lost > 0) notes.push(`${lost} draws are not finite and not shown`);
  return { points: [...plain, ...marked], notes };
}
