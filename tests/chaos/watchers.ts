/** People who watch a run live over the WebSocket, as a page does; what arrives is compared with the stored draws. */
import { WebSocket } from 'ws';
import { createClient } from '../../src/client/create-client.ts';
import { type ExperimentSocket, openExperimentSocket } from '../../src/client/sockets.ts';
import type { EventItem } from '../../src/contract/live.ts';
import type { Act, Actor } from './people.ts';
import type { Person } from './wire.ts';

/** Sockets open at the same time, across all people. */
const MOST = 4;
/** Watched variables per chain. */
const VARIABLES = 2;

/** A run as one socket showed it. */
export class Watched {
  /** By chain and variable: the draws in the order they came. */
  readonly drawn = new Map<string, number[]>();
  hasFinished = false;
  isClosed = false;
  private socket: ExperimentSocket | null = null;

  constructor(
    readonly id: string,
    readonly owner: Person,
    private readonly complain: (what: string) => void,
  ) {}

  /** `host`: what the service calls itself; the socket goes to `port`, where faults cut it. */
  open(port: number, host: string, random: () => number): void {
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      token: () => this.owner.token,
    });
    this.socket = openExperimentSocket(
      client,
      { experimentId: this.id },
      {
        onNames: (chains) => {
          for (const { chain, names } of chains) this.subscribe(chain, names);
        },
        onDraws: (items) => {
          for (const item of items) this.take(item);
        },
        onFinish: () => {
          this.hasFinished = true;
        },
        onState: (state) => {
          if (state.state === 'refused') this.complain(`was refused: ${state.reason}`);
        },
      },
      { random, WebSocket: socketTo(host) },
    );
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  private subscribe(chain: string, names: readonly string[]): void {
    const variables = names
      .filter((name) => !name.endsWith('__'))
      .slice(0, VARIABLES)
      .filter((name) => !this.drawn.has(`${chain} ${name}`));
    for (const name of variables) this.drawn.set(`${chain} ${name}`, []);
    if (variables.length > 0) this.socket?.subscribe([{ chain, variables }]);
  }

  private take({ chain_name: chain, iteration, data, phase = 'sampling' }: EventItem): void {
    if (phase !== 'sampling') this.complain(`${phase} draws of ${chain} came unasked`);
    for (const name of Object.keys(data[0] ?? {})) {
      const values = this.drawn.get(`${chain} ${name}`);
      if (values === undefined) this.complain(`${name} of ${chain} came unasked`);
      else if (iteration !== values.length + 1)
        this.complain(`${chain} ${name}: iteration ${iteration} came after ${values.length}`);
      else for (const row of data) values.push(Number(row[name]));
    }
  }
}

/** Sends the host header that the service expects, whatever address it is reached at. */
const socketTo = (host: string) =>
  class extends WebSocket {
    constructor(url: string) {
      super(url, { headers: { host } });
      // the client learns of it by `close`
      this.on('error', () => {});
    }
  } as unknown as new (
    url: string,
  ) => globalThis.WebSocket;

/** Opens the page of one of their runs; the oracle closes it when it has shown everything. */
export const watchRun: Act = async (self: Actor) => {
  const { world, person } = self;
  const { ledger, wire } = world;
  if (ledger.watched.filter(({ isClosed }) => !isClosed).length >= MOST) return;
  const isWatched = (id: string) => ledger.watched.some((one) => one.id === id);
  const run = self.pick(
    ledger.runs.filter(
      ({ id, owner, isProven }) => owner === person && !isProven && !isWatched(id),
    ),
  );
  if (run === undefined) return;
  const watched = new Watched(run.id, person, (what) =>
    ledger.complaints.push(`the socket of ${run.id} ${what}`),
  );
  ledger.watched.push(watched);
  watched.open(wire.port, wire.host, () => self.rng.uniform());
};
