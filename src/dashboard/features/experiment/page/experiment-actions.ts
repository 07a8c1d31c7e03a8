/** What the owner of an experiment can do from its page, and what the server allows. */

export interface ExperimentActions {
  readonly onShare: () => void;
  /** Starts the same program and data again at once, with these settings changed. */
  readonly onRunAgain: (change: Record<string, unknown>) => void;
  readonly onControl: (action: 'stop' | 'pause' | 'resume' | 'retry') => Promise<void>;
  /** Requests this many more draws per chain; true once the server continues the run. */
  readonly onExtend: (draws: number) => Promise<boolean>;
  /** True once the server has the name. */
  readonly onRename: (name: string) => Promise<boolean>;
  readonly onTags: (tags: readonly string[]) => Promise<boolean>;
  readonly onDelete: () => void;
  /** Leaves these chains, by name, and no others out of summary and plots; true once the server has. */
  readonly onLeaveOut: (names: readonly string[]) => Promise<boolean>;
  readonly canControl: boolean;
  /** Starts a chain from another point in the place of each of these; true once the server runs them. */
  readonly onRetryChains: (names: readonly string[]) => Promise<boolean>;
  /** The server starts single chains again. */
  readonly canRetryChains?: boolean;
  /** The server takes up failed chains again. */
  readonly canRetry?: boolean;
  readonly canDelete: boolean;
  /** The server judges a run without the chains that are left out. */
  readonly canLeaveOut?: boolean;
  /** The server gives parts of a log, and the platform's own. */
  readonly hasLogRange: boolean;
  /** The server keeps past versions of programs. */
  readonly hasVersions?: boolean;
}
