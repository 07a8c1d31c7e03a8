/** The open sockets of this process: counts them per caller, checks that they respond, and closes them at shutdown. */
import type { WebSocket } from 'ws';
import { limits } from '../../contract/limits.ts';
import { socketClosed } from '../../contract/live.ts';
import { networkOf } from '../http/caller-network.ts';
import { limitExceeded } from '../http/service-error.ts';
import type { ChangeFeed } from './change-feed.ts';
import { LiveSocket } from './live-socket.ts';
import type { LiveTimes } from './live-times.ts';
import { SharedReads } from './shared-reads.ts';

/** Sockets that may be unauthenticated at the same time, per network and in total. */
export const maxSilentPerNetwork = 64;
const maxSilent = 512;

export class SocketHub {
  private readonly sockets = new Set<LiveSocket>();
  /** Sockets that have not yet authenticated, oldest first, with their network. */
  private readonly silent = new Map<LiveSocket, string>();
  private readonly counts = new Map<string, number>();
  /** Releases the place of a socket. */
  private readonly places = new WeakMap<LiveSocket, () => void>();
  private readonly timer: NodeJS.Timeout;
  readonly reads = new SharedReads();
  private isClosing = false;

  constructor(
    readonly feed: ChangeFeed,
    readonly times: LiveTimes,
  ) {
    this.timer = setInterval(() => this.tick(), times.pingMs);
    this.timer.unref();
  }

  /** Null: there is no room, and the socket is closed with a reason. `address` is not yet authorized. */
  open(raw: WebSocket, address: string): LiveSocket | null {
    const socket = new LiveSocket(raw, this.times);
    if (this.isClosing) {
      void socket.close(1001, 'The service is stopping.');
      return null;
    }
    const network = networkOf(address);
    this.makeRoom(network);
    if (this.sockets.size >= limits.sockets) {
      void socket.close(socketClosed.tooMany, 'This service cannot accept more sockets.');
      return null;
    }
    this.sockets.add(socket);
    this.silent.set(socket, network);
    void socket.closed.then(() => this.forget(socket));
    return socket;
  }

  /** Its first message has arrived: it no longer makes way for newer ones. */
  hasSpoken(socket: LiveSocket): void {
    this.silent.delete(socket);
  }

  /** Counts a socket for `who` until it closes or is counted differently. Throws LIMIT_EXCEEDED. */
  count(socket: LiveSocket, who: string): void {
    if (!this.takePlace(socket, who)) {
      throw limitExceeded(
        `You already have ${limits.sockets_per_user} open sockets, the most allowed (sockets_per_user).`,
        { limit: 'sockets_per_user', allowed: limits.sockets_per_user },
      );
    }
  }

  /** Closes the oldest silent sockets: of a network that has too many, and of any when there are too many. */
  private makeRoom(network: string): void {
    const own = [...this.silent].filter(([, from]) => from === network);
    const oldest =
      own.length >= maxSilentPerNetwork
        ? own[0]
        : this.silent.size >= maxSilent || this.sockets.size >= limits.sockets
          ? [...this.silent][0]
          : undefined;
    if (oldest === undefined) return;
    const [socket] = oldest;
    this.forget(socket);
    socket.drop(socketClosed.tooMany, 'No authorization came, and newer sockets are waiting.');
  }

  private forget(socket: LiveSocket): void {
    this.sockets.delete(socket);
    this.silent.delete(socket);
  }

  private takePlace(socket: LiveSocket, who: string): boolean {
    const count = this.counts.get(who) ?? 0;
    if (count >= limits.sockets_per_user) return false;
    this.places.get(socket)?.();
    this.counts.set(who, count + 1);
    let isTaken = true;
    const giveBack = () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.counts.get(who) ?? 1) - 1;
      if (left === 0) this.counts.delete(who);
      else this.counts.set(who, left);
    };
    this.places.set(socket, giveBack);
    void socket.closed.then(giveBack);
    return true;
  }

  private tick(): void {
    for (const socket of this.sockets) socket.ping();
    this.feed.checkPulse();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.timer);
    await Promise.all(
      [...this.sockets].map((socket) => socket.close(1001, 'The service is stopping.')),
    );
    await this.feed.close();
  }
}
