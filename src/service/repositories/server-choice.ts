/** Finds which of several servers takes writes, in the order of the address; remembered until a connection fails. */
import type { ServerPlace } from './client-config.ts';

export interface ServerChoice {
  /** Rejects if none takes writes. Simultaneous callers share one search. */
  find(): Promise<ServerPlace>;
  /** The known server may no longer be the primary. */
  forget(): void;
}

/** `isPrimary` rejects when the server does not answer. */
export function createServerChoice(
  servers: readonly ServerPlace[],
  isPrimary: (place: ServerPlace) => Promise<boolean>,
): ServerChoice {
  let finding: Promise<ServerPlace> | null = null;
  const search = async () => {
    let lastError: unknown = null;
    for (const place of servers) {
      try {
        if (await isPrimary(place)) return place;
      } catch (error) {
        lastError = error;
      }
    }
    const names = servers.map(({ host, port }) => `${host}:${port}`).join(', ');
    const reason = lastError instanceof Error ? ` (${lastError.message})` : '';
    // the state of a server that is starting: worth a retry in a moment
    throw Object.assign(new Error(`none of ${names} accepts writes${reason}`), { code: '57P03' });
  };
  return {
    find() {
      if (finding !== null) return finding;
      const mine = search();
      finding = mine;
      mine.catch(() => {
        if (finding === mine) finding = null;
      });
      return mine;
    },
    forget() {
      finding = null;
    },
  };
}
