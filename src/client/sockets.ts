/**
 * The two WebSockets, typed: frames are checked with the contract's schemas, a lost connection is reopened with growing
 * pauses, and subscriptions continue where they stopped.
 *
 * Works with servers whose socket does not answer `authorized`: the first frame, or a second without refusal, counts.
 */
import type { ZodMiniType } from 'zod/mini';
import {
  type EventItem,
  type ExperimentOrder,
  experimentFrameSchema,
  experimentMessageSchema,
  experimentSocketPath,
  type LiveStatus,
  liveStatusSchema,
  notificationSocketPath,
  socketClosed,
  socketErrorSchema,
} from '../contract/live.ts';
import { type Notification, notificationFrameSchema } from '../contract/notification.ts';
import type { Client } from './create-client.ts';
import { connectionOf } from './request.ts';

/** `waiting`: lost, and retried automatically. `refused`: not retried, `reason` says why. */
export type SocketState =
  | { readonly state: 'connecting' | 'open' | 'waiting' | 'closed' }
  | { readonly state: 'refused'; readonly reason: string };

export interface SocketHandle {
  close(): void;
}

interface Handlers {
  readonly onState?: (state: SocketState) => void;
}

export interface NotificationHandlers extends Handlers {
  readonly onNotification: (notification: Notification) => void;
}

export interface ExperimentHandlers extends Handlers {
  readonly onNames?: (chains: readonly { chain: string; names: readonly string[] }[]) => void;
  readonly onDraws?: (items: readonly EventItem[]) => void;
  readonly onOutput?: (line: string) => void;
  /** The run failed. */
  readonly onError?: (reason: string | number | undefined) => void;
  readonly onStatus?: (status: LiveStatus) => void;
  readonly onFinish?: () => void;
}

export interface ExperimentTarget {
  readonly experimentId: string;
  readonly shareId?: string;
  readonly password?: string;
}

export type Subscription = ExperimentOrder['data'][number];

export interface ExperimentSocket extends SocketHandle {
  /** From the first draw on unless `from` says otherwise; after a lost connection, from where it stopped. */
  subscribe(items: readonly Subscription[]): void;
  unsubscribe(items: readonly Subscription[]): void;
}

/** Provided by the page or program: tests provide their own. */
export interface SocketOptions {
  readonly WebSocket?: new (url: string) => WebSocket;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
}

/** How long a silent server has before the connection counts as authorized. */
const patienceMs = 1000;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** Notifications pushed to the client's user. */
export function openNotificationSocket(
  client: Client,
  handlers: NotificationHandlers,
  options: SocketOptions = {},
): SocketHandle {
  return new ReconnectingSocket(client, {
    ...options,
    path: notificationSocketPath,
    onState: handlers.onState,
    onOpen: () => {},
    onFrame: (frame) => {
      const read = notificationFrameSchema.safeParse(frame);
      if (read.success) handlers.onNotification(read.data.message);
    },
  });
}

/** Follows a run in progress: names, draws, output and status. */
export function openExperimentSocket(
  client: Client,
  target: ExperimentTarget,
  handlers: ExperimentHandlers,
  options: SocketOptions = {},
): ExperimentSocket {
  return new ExperimentFeed(client, target, handlers, options);
}

class ExperimentFeed implements ExperimentSocket {
  private readonly socket: ReconnectingSocket;
  /** By phase, chain and variable: the next iteration. */
  private readonly wanted = new Map<string, { of: Subscription; next: number }>();

  constructor(
    client: Client,
    { experimentId, shareId, password }: ExperimentTarget,
    private readonly handlers: ExperimentHandlers,
    options: SocketOptions,
  ) {
    this.socket = new ReconnectingSocket(client, {
      ...options,
      path: experimentSocketPath.replace('{experiment_id}', encodeURIComponent(experimentId)),
      credentials: shareId === undefined ? undefined : { share_id: shareId, password },
      onState: handlers.onState,
      onOpen: () => this.subscribeAgain(),
      onFrame: (frame) => this.receive(frame),
    });
  }

  subscribe(items: readonly Subscription[]): void {
    for (const item of items) {
      for (const variable of item.variables) {
        const of = { ...item, variables: [variable] };
        this.wanted.set(keyOf(item, variable), { of, next: item.from ?? 1 });
      }
    }
    this.socket.send({ action: 'subscribe', data: [...items] });
  }

  unsubscribe(items: readonly Subscription[]): void {
    for (const item of items)
      for (const variable of item.variables) this.wanted.delete(keyOf(item, variable));
    this.socket.send({ action: 'unsubscribe', data: [...items] });
  }

  close(): void {
    this.socket.close();
  }

  private subscribeAgain(): void {
    const groups = new Map<string, Subscription>();
    for (const { of, next } of this.wanted.values()) {
      const { chain, phase = 'sampling', variables } = of;
      const key = `${phase} ${next} ${chain}`;
      const group = groups.get(key) ?? { chain, phase, from: next, variables: [] };
      groups.set(key, group);
      group.variables.push(...variables);
    }
    if (groups.size > 0) this.socket.send({ action: 'subscribe', data: [...groups.values()] });
  }

  private receive(frame: unknown): void {
    const { handlers } = this;
    const envelope = experimentFrameSchema.safeParse(frame);
    const message = envelope.success
      ? experimentMessageSchema.safeParse(envelope.data.message)
      : null;
    if (!message?.success) return;
    const { data: event } = message;
    switch (event.action) {
      case 'names':
        handlers.onNames?.(event.data);
        break;
      case 'experiment:event':
        this.note(event.data);
        handlers.onDraws?.(event.data);
        break;
      case 'experiment:output':
        handlers.onOutput?.(event.data);
        break;
      case 'experiment:error':
        handlers.onError?.(event.data);
        break;
      case 'experiment:status':
        passOn(liveStatusSchema, event.data, handlers.onStatus);
        break;
      case 'experiment:finish':
        handlers.onFinish?.();
        break;
      default:
        break;
    }
  }

  private note(items: readonly EventItem[]): void {
    for (const item of items) {
      const { chain_name: chain, iteration, data, phase } = item;
      for (const variable of Object.keys(data[0] ?? {})) {
        const known = this.wanted.get(keyOf({ chain, phase }, variable));
        if (known !== undefined && iteration <= known.next)
          known.next = Math.max(known.next, iteration + data.length);
      }
    }
  }
}

function keyOf({ chain, phase = 'sampling' }: Pick<Subscription, 'chain' | 'phase'>, name: string) {
  return `${phase}\n${chain}\n${name}`;
}

function passOn<T>(
  schema: ZodMiniType<T>,
  value: unknown,
  listener: ((value: T) => void) | undefined,
): void {
  const read = schema.safeParse(value);
  if (read.success) listener?.(read.data);
}

interface ReconnectingOptions extends SocketOptions, Handlers {
  readonly path: string;
  /** Instead of the client's token. */
  readonly credentials?: Readonly<Record<string, string | undefined>>;
  readonly onOpen: () => void;
  readonly onFrame: (frame: unknown) => void;
}

class ReconnectingSocket implements SocketHandle {
  private socket: WebSocket | null = null;
  private isOpen = false;
  private isClosed = false;
  private failures = 0;
  /** What the server said before it closed. */
  private refusal = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Client,
    private readonly options: ReconnectingOptions,
  ) {
    this.connect();
  }

  /** Dropped while the connection is down: `onOpen` sends everything again. */
  send(message: unknown): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.isOpen = false;
    clearTimeout(this.timer);
    this.socket?.close();
    this.report({ state: 'closed' });
  }

  private report(state: SocketState): void {
    this.options.onState?.(state);
  }

  private connect(): void {
    const { baseUrl, token } = connectionOf(this.client);
    const page = (globalThis as { location?: { href: string } }).location?.href;
    const address = new URL(baseUrl.replace(/\/+$/, '') + this.options.path, page);
    address.protocol = address.protocol.replace('http', 'ws');
    this.report({ state: 'connecting' });
    const socket = new (this.options.WebSocket ?? globalThis.WebSocket)(address.href);
    this.socket = socket;
    socket.onopen = () => {
      const credentials = this.options.credentials ?? { token: token() ?? undefined };
      socket.send(JSON.stringify({ action: 'authorization', version: '1.0', ...credentials }));
      this.timer = setTimeout(() => this.letIn(), patienceMs);
    };
    socket.onmessage = ({ data }) => {
      if (this.socket === socket && !this.isClosed) this.receive(String(data));
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket === socket && !this.isClosed) this.lose(code, reason);
    };
  }

  private receive(text: string): void {
    let frame: unknown;
    try {
      frame = JSON.parse(text);
    } catch {
      return;
    }
    const message = (frame as { message?: { action?: unknown; data?: unknown } } | null)?.message;
    if (message?.action === 'error' && !this.isOpen) {
      const read = socketErrorSchema.safeParse(message.data);
      this.refusal = read.success ? read.data.message : '';
      return;
    }
    this.letIn();
    if (message?.action !== 'authorized') this.options.onFrame(frame);
  }

  private letIn(): void {
    clearTimeout(this.timer);
    if (this.isOpen || this.isClosed) return;
    this.isOpen = true;
    this.failures = 0;
    this.report({ state: 'open' });
    this.options.onOpen();
  }

  private lose(code: number, reason: string): void {
    clearTimeout(this.timer);
    this.isOpen = false;
    this.socket = null;
    if (code === socketClosed.unauthorized) {
      this.isClosed = true;
      this.report({ state: 'refused', reason: this.refusal || reason });
      return;
    }
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** this.failures);
    this.failures += 1;
    this.report({ state: 'waiting' });
    const random = this.options.random ?? Math.random;
    this.timer = setTimeout(() => this.connect(), pause * (0.75 + 0.5 * random()));
  }
}
