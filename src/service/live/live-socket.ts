/**
 * One WebSocket: each frame is sent after the previous one was accepted, so that a slow reader has only one frame
 * waiting here; a socket that accepts nothing for long is closed.
 */
import type { RawData, WebSocket } from 'ws';
import { socketClosed } from '../../contract/live.ts';

export interface LiveSocketOptions {
  /** Milliseconds in which a frame must be accepted. */
  readonly slowMs: number;
}

/** Milliseconds that a client has to answer a close. */
const closingMs = 1000;
/** Number of messages that may wait. */
const maxWaiting = 32;

export class LiveSocket {
  /** Settles when nothing more can be sent. */
  readonly closed: Promise<void>;
  isOpen = true;
  private isAnswering = true;
  private last: Promise<void> = Promise.resolve();
  private listener: ((text: string) => void) | null = null;
  /** Messages that arrived without a listener. */
  private readonly waiting: string[] = [];

  constructor(
    private readonly socket: WebSocket,
    private readonly options: LiveSocketOptions,
  ) {
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.isOpen = false;
        resolve();
      });
    });
    // A faulty connection is closed; there is nothing else to do.
    socket.on('error', () => socket.terminate());
    socket.on('message', (data: RawData) => this.receive(textOf(data)));
    socket.on('pong', () => {
      this.isAnswering = true;
    });
  }

  /** Receives messages as text, waiting ones first; bytes are decoded as UTF-8. Null: messages wait. */
  onText(listener: ((text: string) => void) | null): void {
    this.listener = listener;
    while (this.listener !== null) {
      const text = this.waiting.shift();
      if (text === undefined) return;
      this.listener(text);
    }
  }

  private receive(text: string): void {
    if (!this.isOpen) return;
    if (this.listener !== null) this.listener(text);
    else if (this.waiting.length < maxWaiting) this.waiting.push(text);
    else void this.close(socketClosed.tooMany, 'Too many messages at once.');
  }

  /** Resolves when the frame was sent, or immediately when the socket is closed. */
  send(frame: unknown): Promise<void> {
    this.last = this.last.then(() => this.write(JSON.stringify(frame)));
    return this.last;
  }

  /** Closes the connection if it did not answer the previous ping. */
  ping(): void {
    if (!this.isAnswering) {
      this.socket.terminate();
      return;
    }
    this.isAnswering = false;
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  /** Closes with a reason, even if the client does not respond. */
  async close(code: number, reason: string): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      // A close frame has at most 123 bytes of reason.
      this.socket.close(code, reason.slice(0, 100));
    }
    const timer = setTimeout(() => this.socket.terminate(), closingMs);
    await this.closed;
    clearTimeout(timer);
  }

  /** Closes immediately: for a client that has not sent anything, so no response is awaited. */
  drop(code: number, reason: string): void {
    this.isOpen = false;
    this.socket.close(code, reason.slice(0, 100));
    this.socket.terminate();
  }

  private write(text: string): Promise<void> {
    if (!this.isOpen) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        void this.close(socketClosed.tooSlow, 'The client did not read its messages in time.');
        resolve();
      }, this.options.slowMs);
      this.socket.send(text, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data as Buffer).toString('utf8');
}
