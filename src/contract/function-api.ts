/** The API of cloud functions, callbacks and data scripts in JavaScript: the text for an editor's language service. */
export const functionApiTypes = `/** Draws of one chain, in iteration order. */
interface ChainDraws extends Float64Array {
  /** "chain#1", … */
  readonly chain: string;
}

interface DrawsOptions {
  /** Flat names, such as "theta[1]"; absent: all. */
  variables?: string | string[];
  /** "chain#1", …; absent: all. */
  chains?: string | string[];
  /** Every n-th saved draw. */
  thin?: number;
  /** First and last iteration, from 1, inclusive; 0: open. */
  from?: number;
  to?: number;
  /** Absent: sampling. */
  phase?: 'warmup' | 'sampling';
}

interface Experiment {
  readonly short_id: string;
  readonly name: string;
  readonly status: 'NEW' | 'RUN' | 'FIN' | 'ERR';
  readonly model_name: string;
  readonly n_chains: number;
  readonly n_variables: number;
  readonly n_samples: number;
  readonly meta: { readonly settings?: Record<string, unknown>; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

interface SummaryRow {
  readonly variable: string;
  readonly mean: number | null;
  readonly mcse_mean: number | null;
  readonly sd: number | null;
  readonly median: number | null;
  readonly mad: number | null;
  readonly q5: number | null;
  readonly q25: number | null;
  readonly q75: number | null;
  readonly q95: number | null;
  readonly rhat: number | null;
  readonly ess_bulk: number | null;
  readonly ess_tail: number | null;
}

interface Summary {
  readonly n_chains: number;
  readonly n_samples: number;
  readonly variables: readonly SummaryRow[];
  readonly verdict: { readonly state: 'good' | 'warn' | 'bad' | 'unknown'; readonly [key: string]: unknown };
  readonly chains: readonly { readonly name: string; readonly divergences: number; readonly [key: string]: unknown }[];
}

interface DataFile {
  readonly name: string;
  readonly fmt: string;
  readonly version: number;
  /** Null where the bytes are not text. */
  readonly text: string | null;
  /** Where they are not text. */
  readonly bytes?: Uint8Array;
}

/** What a function may do besides computing. Each read answers at once, with the rights of the caller. */
interface Ergodic {
  readonly parameters: any;
  /** Fields of a run, by its id. */
  experiment(id: string): Experiment;
  /** By variable: one array of draws per chain. */
  draws(id: string, options?: DrawsOptions): Record<string, ChainDraws[]>;
  summary(id: string): Summary;
  /** The newest version of a data object. */
  data(id: string): DataFile;
  /** Bytes as text; bytes in an answer become {base64} automatically. */
  base64(bytes: ArrayBuffer | ArrayBufferView): string;
  /** Writes a line to the call's log, as console.log does. */
  log(...values: unknown[]): void;
}

declare const ergodic: Ergodic;
declare const console: Record<'log' | 'info' | 'warn' | 'error' | 'debug', (...values: unknown[]) => void>;
`;
