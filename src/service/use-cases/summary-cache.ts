/** Summaries computed while a run lives or for a share, kept until the draws have grown. */
import type { Summary } from '../../contract/draws.ts';

export interface ComputedSummary {
  /** Of the draws it was computed from. */
  readonly revision: string;
  readonly summary: Promise<Summary>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Infinite while it is being computed. */
  tookMs: number;
}

export type SummaryCache = Map<string, ComputedSummary>;
