/**
 * The first program inside a sandbox, in Python's standard library (`launcher.py`): lays out the files, lets the
 * service's address in, bounds the program, passes on the request to stop, and hands out what the program left in its
 * output folder. Its one argument is a `LaunchPlan`. Descriptor 3: any byte asks to stop. Descriptor 4: the outputs, a
 * tar archive.
 */
export { default as launcherScript } from './launcher.py?raw';

export interface LaunchPlan {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder that is copied to `folder` first; null: it is there. */
  readonly source: string | null;
  readonly folder: string;
  readonly outputs: string;
  readonly outputBytes: number;
  readonly relay: { readonly port: number; readonly socket: string } | null;
  /** Of each process, but `processes`, which counts all. Null: not bounded. */
  readonly limits: {
    readonly memory: number | null;
    readonly cpu: number | null;
    readonly file: number | null;
    readonly processes: number | null;
    readonly descriptors: number | null;
  };
}
