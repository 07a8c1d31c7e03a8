/** How far apart two estimates are: in Monte Carlo standard errors (is it noise?) and in posterior sd (does it matter?). */
import type { SummaryRow } from '../../../contract/draws.ts';

/** Two estimates of one quantity often differ by up to this many MCSE. */
const noise = 2;
/** Beyond this, noise is not an explanation, even over many variables. */
const clear = 4;

export type DifferenceTone = 'same' | 'unsure' | 'apart' | 'none';

export interface Difference {
  /** Own minus baseline; null if either is undefined. */
  readonly value: number | null;
  /** Its size in MCSE of the difference, √(a² + b²); null if that is undefined. */
  readonly inMcse: number | null;
  /** Its size in sd of the baseline; null likewise. */
  readonly inSd: number | null;
  readonly tone: DifferenceTone;
  /** "within error", "differs"; the error is the Monte Carlo error. */
  readonly label: string;
}

const nothing: Difference = {
  value: null,
  inMcse: null,
  inSd: null,
  tone: 'none',
  label: 'not comparable',
};

export interface Estimate {
  readonly value: number | null;
  readonly mcse: number | null;
}

/** `own` against `base`; `sd` of the baseline's posterior. Draws of the two experiments are independent. */
export function differenceOf(own: Estimate, base: Estimate, sd: number | null): Difference {
  if (own.value === null || base.value === null) return nothing;
  const value = own.value - base.value;
  const inSd = sd !== null && sd > 0 ? Math.abs(value) / sd : null;
  if (value === 0) return { value, inMcse: 0, inSd, tone: 'same', label: 'the same' };
  const error = Math.hypot(own.mcse ?? Number.NaN, base.mcse ?? Number.NaN);
  if (!(error > 0)) {
    // Constants have no Monte Carlo error: any difference is real.
    return error === 0
      ? { value, inMcse: null, inSd, tone: 'apart', label: 'differs' }
      : { ...nothing, value, inSd };
  }
  const inMcse = Math.abs(value) / error;
  if (inMcse <= noise) return { value, inMcse, inSd, tone: 'same', label: 'within error' };
  if (inMcse <= clear)
    return { value, inMcse, inSd, tone: 'unsure', label: 'slightly beyond Monte Carlo error' };
  return { value, inMcse, inSd, tone: 'apart', label: 'differs' };
}

/** Means of one variable in two experiments. */
export function meanDifference(own: SummaryRow, base: SummaryRow): Difference {
  return differenceOf(
    { value: own.mean, mcse: own.constant ? 0 : own.mcse_mean },
    { value: base.mean, mcse: base.constant ? 0 : base.mcse_mean },
    base.sd,
  );
}

/** "0.4 MCSE", "12 MCSE"; empty if it is undefined. */
export function mcseLabel({ inMcse }: Pick<Difference, 'inMcse'>): string {
  if (inMcse === null) return '';
  if (inMcse >= 1000) return 'over 1000 MCSE';
  return `${inMcse < 10 ? inMcse.toFixed(1) : Math.round(inMcse)} MCSE`;
}

/** "0.12 SD". */
export function sdLabel({ inSd }: Pick<Difference, 'inSd'>): string {
  if (inSd === null) return '';
  if (inSd >= 1000) return 'over 1000 SD';
  return `${inSd < 10 ? inSd.toFixed(2) : Math.round(inSd)} SD`;
}
