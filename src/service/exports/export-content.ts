/** What an export file holds, by format: pieces of bytes in order, made of draws that are read a part at a time. */
import type pg from 'pg';
import type { DataVariable } from '../../posterior/predictive/pairing.ts';
import type { VisibleDraws } from '../results/visible-draws.ts';

/** `arviz flat`: as `/sys/get-arviz-data` has it. */
export const exportFormats = ['csv', 'grist', 'arviz', 'parquet', 'arviz flat'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportRequest {
  readonly pool: pg.Pool;
  readonly draws: VisibleDraws;
  /** First iterations of each chain; 0: all. */
  readonly numIterations: number;
  readonly objid: string;
  /** What the run read, as far as the caller may see it; read when a format holds it. */
  readonly readData: () => Promise<readonly DataVariable[]>;
  /** Of this program. */
  readonly version: string;
}

/** Why a file of this format cannot be made of these draws, and what to take instead: a sentence for people. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}

export interface ExportChain {
  readonly name: string;
  /** Last iteration that the file holds. */
  readonly length: number;
}
