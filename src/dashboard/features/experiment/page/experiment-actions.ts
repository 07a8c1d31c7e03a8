/** What the owner of an experiment can do from its page, and what the server allows. */

export interface ExperimentActions {
  readonly onShare: () => void;
  /** Immediately starts the same program and data again, with these settings changed. */
  readonly onRunAgain: (change: Record<string, unknown>) => void;
  readonly onControl: (action: 'stop' | 'pause' | 'resume' | 'retry') => Promise<void>;
  /** Requests this many more draws per chain; true once the server continues the run. */
  readonly onExtend: (draws: number) => Promise<boolean>;
  /** True once the server has stored the name. */
  readonly onRename: (name: string) => Promise<boolean>;
  readonly onTags: (tags: readonly string[]) => Promise<boolean>;
  readonly onDelete: () => void;
  /** Leaves exactly these chains, by name, out of summary and plots; true once the server has stored it. */
  readonly onLeaveOut: (names: readonly string[]) => Promise<boolean>;
  readonly canControl: boolean;
  /** Replaces each of these chains by one with another starting point; true once the server runs them. */
  readonly onRetryChains: (names: readonly string[]) => Promise<boolean>;
  /** The server can restart single chains. */
  readonly canRetryChains?: boolean;
  /** The server can retry failed chains. */
  readonly canRetry?: boolean;
  readonly canDelete: boolean;
  /** The server judges a run without the chains left out. */
  readonly canLeaveOut?: boolean;
  /** The server returns parts of a log, and its own platform log. */
  readonly hasLogRange: boolean;
  /** The server keeps past versions of programs. */
  readonly hasVersions?: boolean;
}
