/** What the service acknowledged to people, written down as they got the answers: all that an oracle may rely on. */
import type { RunScript } from '../support/scripted-runner.ts';
import type { Watched } from './watchers.ts';
import type { Person } from './wire.ts';

/** A model that somebody saves again and again. */
export interface KeptModel {
  readonly id: string;
  readonly owner: Person;
  /** Text of its only file as last acknowledged, and its version. */
  text: string;
  version: number;
  /** Texts sent since then without an answer: any of them may have been saved. */
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
  /** Its owner asked for a pause in the meantime; then only the draws that exist are compared. */
  isPaused: boolean;
  /** Its draws were found to be those of the undisturbed run. */
  isProven: boolean;
}

/** A run whose draws are sent from outside. */
export interface KeptOutside {
  readonly id: string;
  readonly owner: Person;
  readonly script: RunScript;
  /** Acknowledged iterations per chain. */
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
  /** Observed behaviour that no service may show. */
  readonly complaints: string[] = [];

  get size(): number {
    const { models, shares, runs, outside, imports, data, calls } = this;
    return [models, shares, runs, outside, imports, data, calls].reduce(
      (sum, kept) => sum + kept.length,
      0,
    );
  }
}
