/** The content of an export file, by format: pieces of bytes in order, made from draws that are read part by part. */
import type pg from 'pg';
import type { DataVariable } from '../../posterior/predictive/pairing.ts';
import type { VisibleDraws } from '../results/visible-draws.ts';

/** `arviz flat`: the form of `/sys/get-arviz-data`. */
export const exportFormats = ['csv', 'grist', 'arviz', 'parquet', 'arviz flat'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportRequest {
  readonly pool: pg.Pool;
  readonly draws: VisibleDraws;
  /** First iterations of each chain; 0: all. */
  readonly numIterations: number;
  readonly objid: string;
  /** The run's input, as far as the caller may see it; read only if a format includes it. */
  readonly readData: () => Promise<readonly DataVariable[]>;
  /** Version of this program. */
  readonly version: string;
}

/** Why this format cannot hold these draws, and which format to use instead: a sentence for people. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
}

export interface ExportChain {
  readonly name: string;
  /** Last iteration in the file. */
  readonly length: number;
}
