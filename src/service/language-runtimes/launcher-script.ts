/**
 * The first program inside a sandbox, in Python's standard library (`launcher.py`): lays out the files, relays the
 * service's address, limits the program, forwards the request to stop, and returns what the program left in its output
 * folder. Its only argument is a `LaunchPlan`. Descriptor 3: any byte requests a stop. Descriptor 4: the outputs, a
 * tar archive.
 */
export { default as launcherScript } from './launcher.py?raw';

export interface LaunchPlan {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder that is copied to `folder` first; null: `folder` is already complete. */
  readonly source: string | null;
  readonly folder: string;
  readonly outputs: string;
  readonly outputBytes: number;
  readonly relay: { readonly port: number; readonly socket: string } | null;
  /** Limits of each process, except `processes`, which counts all. Null: no limit. */
  readonly limits: {
    readonly memory: number | null;
    readonly cpu: number | null;
    readonly file: number | null;
    readonly processes: number | null;
    readonly descriptors: number | null;
  };
}
