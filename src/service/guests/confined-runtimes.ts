/** Languages other than JavaScript: the small interface that a sandboxed process of another runtime implements. */
import type { GuestLimits } from './guest-frames.ts';
import type { GuestResult } from './guest-process.ts';

export type ConfinedLanguage = 'python' | 'julia' | 'r';

export interface ConfinedProgram {
  readonly language: ConfinedLanguage;
  /** Bytes of the tree by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly entrance: string;
  /** JSON text, passed to the program as a file whose path is its only argument. */
  readonly parameters: string;
  /** Absent: a function. `data`: gets the members `workflow` and `data` of the parameters. */
  readonly form?: 'function' | 'data';
}

/** Runs programs of other languages, or says what this machine lacks. */
export interface ConfinedRunner {
  /** Null: it can run here. Otherwise what to install or enable, in complete sentences. */
  missing(language: ConfinedLanguage): Promise<string | null>;
  run(program: ConfinedProgram, limits: GuestLimits): Promise<GuestResult>;
}

const installed: Record<ConfinedLanguage, string> = {
  python: 'Python 3 and bubblewrap',
  julia: 'Julia and bubblewrap',
  r: 'R and bubblewrap',
};

/** Used if no sandbox for other languages is available. */
export const noConfinedRuntimes: ConfinedRunner = {
  missing: async (language) =>
    `This server cannot run ${language} programs: install ${installed[language]} on its machine. JavaScript functions run everywhere.`,
  run: async () => {
    throw new Error('no sandbox is available for this language');
  },
};

export function isConfinedLanguage(language: string): language is ConfinedLanguage {
  return Object.hasOwn(installed, language);
}
