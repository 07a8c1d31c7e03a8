/** What the owner of an experiment can do from its page, and what the server allows. */

export interface ExperimentActions {
  readonly onShare: () => void;
  /** Runs the same program and data again with changed settings. */
  readonly onRunAgain: (change: Record<string, unknown>) => void;
  readonly onControl: (action: 'stop' | 'pause' | 'resume') => Promise<void>;
  /** Requests this many more draws per chain; true once the server continues the run. */
  readonly onExtend: (draws: number) => Promise<boolean>;
  readonly onRename: (name: string) => Promise<void>;
  readonly onDelete: () => void;
  readonly canControl: boolean;
  readonly canDelete: boolean;
  /** The server gives parts of a log, and the platform's own. */
  readonly hasLogRange: boolean;
  /** The server keeps past versions of programs. */
  readonly hasVersions?: boolean;
}
