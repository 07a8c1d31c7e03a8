/**
 * One WebSocket: frames go out one at a time, each when the one before was taken in, so that a slow reader holds a
 * single frame here; one that takes in nothing for long is ended.
 */
import type { RawData, WebSocket } from 'ws';
import { socketClosed } from '../../contract/live.ts';

export interface LiveSocketOptions {
  /** Milliseconds in which a frame must be taken in. */
  readonly slowMs: number;
}

/** The time a client has to answer a close, in milliseconds. */
const closingMs = 1000;
/** Messages that may wait. */
const maxWaiting = 32;

export class LiveSocket {
  /** Settles when nothing more can be sent. */
  readonly closed: Promise<void>;
  isOpen = true;
  private isAnswering = true;
  private last: Promise<void> = Promise.resolve();
  private listener: ((text: string) => void) | null = null;
  /** What came while nobody listened. */
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
    // What goes wrong with a connection ends it; there is nobody to notify.
    socket.on('error', () => socket.terminate());
    socket.on('message', (data: RawData) => this.receive(textOf(data)));
    socket.on('pong', () => {
      this.isAnswering = true;
    });
  }

  /** Texts as they come, those that waited first; bytes are read as UTF-8. Null: they wait. */
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

  /** Resolves when the frame has left, or at once when the socket is closed. */
  send(frame: unknown): Promise<void> {
    this.last = this.last.then(() => this.write(JSON.stringify(frame)));
    return this.last;
  }

  /** Ends the connection unless it answered the ping before. */
  ping(): void {
    if (!this.isAnswering) {
      this.socket.terminate();
      return;
    }
    this.isAnswering = false;
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  /** Says why and ends, also when the client does not answer. */
  async close(code: number, reason: string): Promise<void> {
    if (this.isOpen) {
      this.isOpen = false;
      // A close frame holds 123 bytes of reason at most.
      this.socket.close(code, reason.slice(0, 100));
    }
    const timer = setTimeout(() => this.socket.terminate(), closingMs);
    await this.closed;
    clearTimeout(timer);
  }

  /** Ends at once: for a client that has said nothing yet, whose answer is not waited for. */
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
