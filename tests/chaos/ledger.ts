/** What the service acknowledged to people, written down as they got the answers: all that an oracle may rely on. */
import type { RunScript } from '../support/scripted-runner.ts';
import type { Watched } from './watchers.ts';
import type { Person } from './wire.ts';

/** A model that somebody saves again and again. */
export interface KeptModel {
  readonly id: string;
  readonly owner: Person;
  /** Text of its one file as last acknowledged, and the version of that. */
  text: string;
  version: number;
  /** Texts that were sent and not answered since: each may be there. */
  maybe: string[];
  removal: 'none' | 'in doubt' | 'done';
}

export interface KeptShare {
  readonly id: string;
  readonly objid: string;
  readonly password: string;
  /** What it froze. */
  readonly text: string;
  end: 'none' | 'in doubt' | 'done';
}

/** A run of the service's own engine. */
export interface KeptRun {
  readonly id: string;
  readonly owner: Person;
  readonly recipe: string;
  /** What its owner asked for in the meantime; nothing is compared then but what is there. */
  isPaused: boolean;
  /** Its draws were found to be those of the undisturbed run. */
  isProven: boolean;
}

/** A run whose draws somebody else sends. */
export interface KeptOutside {
  readonly id: string;
  readonly owner: Person;
  readonly script: RunScript;
  /** Iterations a chain that were acknowledged. */
  iterations: number;
  /** Its last message was acknowledged. */
  isEnded: boolean;
  isProven: boolean;
}

export interface KeptImport {
  readonly id: string;
  readonly owner: Person;
  readonly values: readonly number[];
  isProven: boolean;
}

/** Data are written once. */
export interface KeptData {
  readonly id: string;
  readonly owner: Person;
  readonly text: string;
}

/** A call of a function, and what it must have answered. */
export interface KeptCall {
  readonly id: string;
  readonly owner: Person;
  isProven: boolean;
}

export class Ledger {
  readonly models: KeptModel[] = [];
  readonly shares: KeptShare[] = [];
  readonly runs: KeptRun[] = [];
  readonly outside: KeptOutside[] = [];
  readonly imports: KeptImport[] = [];
  readonly data: KeptData[] = [];
  readonly calls: KeptCall[] = [];
  /** Runs that somebody watched over a WebSocket. */
  readonly watched: Watched[] = [];
  /** What people saw that no service may do. */
  readonly complaints: string[] = [];

  get size(): number {
    const { models, shares, runs, outside, imports, data, calls } = this;
    return [models, shares, runs, outside, imports, data, calls].reduce(
      (sum, kept) => sum + kept.length,
      0,
    );
  }
}
