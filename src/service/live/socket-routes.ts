/** The two WebSockets: what is sent first, who may stay, and what they receive from then on. */
import type { FastifyInstance } from 'fastify';
import { experimentSocketPath, socketClosed } from '../../contract/live.ts';
import { findUserOfToken } from '../auth/token-user.ts';
import type { CoreContext } from '../context.ts';
import type { User, Viewer } from '../http/call.ts';
import { networkOf } from '../http/caller-network.ts';
import { translateError } from '../http/error-handler.ts';
import type { SocketHandler } from '../http/register-endpoints.ts';
import {
  invalidParameter,
  permissionDenied,
  ServiceError,
  unauthorized,
} from '../http/service-error.ts';
import { authorize } from '../policy/authorize.ts';
import { findLiveShare } from '../repositories/shares.ts';
import { findTokenEnd } from '../repositories/tokens.ts';
import { ExperimentSession, experimentFrame, sendSnapshot } from './experiment-session.ts';
import type { LiveSocket } from './live-socket.ts';
import { NotificationSession } from './notification-session.ts';
import {
  type Credentials,
  closeCodeOf,
  errorData,
  firstText,
  readCredentials,
} from './socket-calls.ts';
import type { SocketHub } from './socket-hub.ts';

export interface SocketRoutes {
  readonly notifications: SocketHandler;
}

/** Adds the experiment's socket; the notifications' shares its address with an endpoint, which takes the handler. */
export function addSocketRoutes(
  app: FastifyInstance,
  context: CoreContext,
  hub: SocketHub,
): SocketRoutes {
  const serve = (kind: SocketKind): SocketHandler => {
    return (raw, request) => {
      const socket = hub.open(raw, request.ip);
      if (socket === null) return;
      const { experiment_id: objid = '' } = request.params as { experiment_id?: string };
      void new SocketVisit(context, hub, { kind, socket, objid, address: request.ip }).run();
    };
  };
  app.route({
    method: 'GET',
    url: experimentSocketPath.replace(/\{(\w+)\}/g, ':$1'),
    config: { policy: 'bearer', socketPolicy: 'first_message' },
    handler: async () => {
      throw invalidParameter('This address is a WebSocket: open it with ws:// or wss://.');
    },
    wsHandler: serve('experiment'),
  });
  return { notifications: serve('notifications') };
}

type SocketKind = 'notifications' | 'experiment';

interface Visit {
  readonly kind: SocketKind;
  readonly socket: LiveSocket;
  /** From the address; empty for notifications. */
  readonly objid: string;
  readonly address: string;
}

/** How a visitor got access: rechecked whenever rights may have changed. */
interface Pass {
  readonly user: User | null;
  /** The share and its password's version, if the address named the share or it admitted the caller. */
  readonly share: { readonly id: string; readonly passwordVersion: number } | null;
}

class SocketVisit {
  private ends: (() => void)[] = [];
  private expiry: NodeJS.Timeout | undefined;
  private isAsking = false;
  private mustRecheck = false;

  constructor(
    private readonly context: CoreContext,
    private readonly hub: SocketHub,
    private readonly visit: Visit,
  ) {
    void visit.socket.closed.then(() => {
      clearTimeout(this.expiry);
      for (const end of this.ends) end();
    });
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { socket, kind } = this.visit;
    try {
      const text = await firstText(socket, this.hub.times.authorizeMs);
      this.hub.hasSpoken(socket);
      const credentials = readCredentials(text);
      // Subscribe before reading, so that no change in between is missed.
      await this.hub.feed.ready();
      await (kind === 'experiment' ? this.watch(credentials) : this.listen(credentials));
    } catch (error) {
      await this.refuse(error);
    }
  }

  private async refuse(error: unknown): Promise<void> {
    const { socket } = this.visit;
    const known = error instanceof ServiceError ? error : translateError(error);
    if (known === null) this.context.logger.error({ err: error }, 'a socket failed');
    const failure = known ?? new ServiceError('INTERNAL', 'The service failed; see its log.');
    await socket.send(this.frame('error', errorData(failure)));
    await socket.close(closeCodeOf(failure), failure.code);
  }

  private frame(action: 'authorized' | 'error', data?: unknown): unknown {
    const { kind, objid } = this.visit;
    const message = data === undefined ? { action } : { action, data };
    if (kind === 'notifications') return { type: action, message };
    return experimentFrame(objid, message);
  }

  private async findUser({ token }: Credentials): Promise<User | null> {
    if (token === null) return null;
    const user = await findUserOfToken(this.context, token);
    if (user === null) throw unauthorized('The token is unknown or has expired; sign in again.');
    const { scope } = user;
    if (scope !== null && scope !== this.visit.objid)
      throw permissionDenied('This token gives access to one experiment only.');
    return user;
  }

  private async listen(credentials: Credentials): Promise<void> {
    const { context, hub } = this;
    const { socket } = this.visit;
    const user = await this.findUser(credentials);
    if (user === null) throw unauthorized('Sign in: notifications need a bearer token.');
    hub.count(socket, `user:${user.id}`);
    const session = new NotificationSession(context, socket, user.id, hub.times);
    this.onEnd(() => session.stop());
    this.onEnd(hub.feed.watchUser(user.id, (id) => session.wake(id)));
    await session.start();
    await this.admit({ user, share: null });
  }

  private async watch(credentials: Credentials): Promise<void> {
    const { context, hub } = this;
    const { socket, objid, address } = this.visit;
    const user = await this.findUser(credentials);
    const viewer: Viewer = { user, sharePassword: credentials.password, address };
    const { shareId } = credentials;
    const access = await authorize(context, { objid, operation: 'live', viewer, shareId });
    const share = access.mode === 'live' ? null : access.share;
    const who = user === null ? `share:${networkOf(address)}` : `user:${user.id}`;
    hub.count(socket, who);
    const pass: Pass = {
      user,
      share: share && { id: share.short_id, passwordVersion: share.password_version },
    };
    if (access.mode !== 'live') {
      await this.admit(pass);
      await sendSnapshot(context, socket, access.share);
      return;
    }
    const experiment = { id: access.object.id, shortId: access.object.short_id };
    const session = new ExperimentSession(context, socket, experiment, hub);
    this.onEnd(() => session.stop());
    this.onEnd(hub.feed.watchExperiment(experiment.shortId, (news) => session.wake(news)));
    await this.admit(pass);
    await session.start();
  }

  private onEnd(end: () => void): void {
    if (this.visit.socket.isOpen) this.ends.push(end);
    else end();
  }

  private async admit(pass: Pass): Promise<void> {
    const { socket } = this.visit;
    const unwatch = this.hub.feed.watchAccess((userId, objects) => {
      const isConcerned =
        userId === null ? this.dependsOn(pass, objects) : userId === pass.user?.id;
      if (isConcerned) void this.recheckAccess(pass);
    });
    this.onEnd(unwatch);
    await socket.send(this.frame('authorized'));
    await this.recheckAccess(pass);
  }

  /** Few of thousands of sockets depend on an object, and each recheck costs the database several statements. */
  private dependsOn({ share }: Pass, objects: readonly string[] | null): boolean {
    if (objects === null || share !== null) return true;
    return this.visit.kind === 'experiment' && objects.includes(this.visit.objid);
  }

  /** Closes the socket when its token, its share or its object is gone; checks again when the token expires. */
  private async recheckAccess(pass: Pass): Promise<void> {
    if (this.isAsking) {
      this.mustRecheck = true;
      return;
    }
    this.isAsking = true;
    try {
      do {
        this.mustRecheck = false;
        await this.ask(pass);
      } while (this.mustRecheck);
    } catch (error) {
      // The database is unavailable: access is rechecked once it is back, before anything else is sent.
      this.context.logger.warn(
        { err: error },
        'the access rights of a socket could not be checked',
      );
    } finally {
      this.isAsking = false;
    }
  }

  private async ask(pass: Pass): Promise<void> {
    const { socket } = this.visit;
    const end = await this.endOf(pass);
    if (end === null) {
      await socket.close(socketClosed.unauthorized, 'This access has ended.');
      return;
    }
    clearTimeout(this.expiry);
    if (!socket.isOpen || end === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.max(0, Math.min(end - Date.now() + 10, 2 ** 31 - 1));
    this.expiry = setTimeout(() => void this.recheckAccess(pass), waitMs);
  }

  /** When the access expires (milliseconds since the epoch); null: it has expired. */
  private async endOf({ user, share }: Pass): Promise<number | null> {
    const { pool } = this.context;
    const tokenEnd = user === null ? null : await findTokenEnd(pool, user.tokenId);
    if (user !== null && tokenEnd === null) return null;
    const ends = tokenEnd === null ? [] : [Date.parse(tokenEnd)];
    if (share !== null) {
      const row = await findLiveShare(pool, share.id);
      if (row === null || row.password_version !== share.passwordVersion) return null;
      if (row.expires_at !== null) ends.push(Date.parse(row.expires_at));
    } else if (this.visit.kind === 'experiment' && user !== null) {
      const viewer: Viewer = { user, sharePassword: null, address: this.visit.address };
      const request = { objid: this.visit.objid, operation: 'live', viewer } as const;
      const access = await authorize(this.context, request).catch((error: unknown) => {
        if (error instanceof ServiceError) return null;
        throw error;
      });
      if (access?.mode !== 'live') return null;
    }
    return Math.min(...ends, Number.POSITIVE_INFINITY);
  }
}
