/** Calls of cloud functions in this tab: stored until it is closed or the user signs out, in memory only. */
import { useSyncExternalStore } from 'react';

export interface FunctionCall {
  readonly id: number;
  readonly modelId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Exactly as written. */
  readonly parameters: string;
  readonly state: 'waiting' | 'sent' | 'done' | 'failed';
  readonly milliseconds: number | null;
  /** For a call that was waited for. */
  readonly answer?: unknown;
  readonly problem?: string;
}

/** Answers may be large: older calls are dropped. */
const mostCalls = 50;

export class CallHistory {
  private calls: readonly FunctionCall[] = [];
  private readonly listeners = new Set<() => void>();
  private made = 0;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  /** Newest first. */
  readonly snapshot = () => this.calls;

  begin(call: Pick<FunctionCall, 'modelId' | 'at' | 'parameters'>): number {
    this.made += 1;
    const begun: FunctionCall = { ...call, id: this.made, state: 'waiting', milliseconds: null };
    this.set([begun, ...this.calls].slice(0, mostCalls));
    return this.made;
  }

  end(id: number, change: Partial<FunctionCall>): void {
    this.set(this.calls.map((call) => (call.id === id ? { ...call, ...change } : call)));
  }

  clear(): void {
    this.set([]);
  }

  private set(calls: readonly FunctionCall[]): void {
    this.calls = calls;
    for (const listener of this.listeners) listener();
  }
}

/** One history per client: another server or user does not see these calls. */
const histories = new WeakMap<object, CallHistory>();

export function historyOf(owner: object): CallHistory {
  let history = histories.get(owner);
  if (history === undefined) {
    history = new CallHistory();
    histories.set(owner, history);
  }
  return history;
}

export function useCalls(history: CallHistory): readonly FunctionCall[] {
  return useSyncExternalStore(history.subscribe, history.snapshot);
}
