/** A WebSocket whose server is the test: it opens, answers and closes on command. */
export class FakeSocket {
  static opened: FakeSocket[] = [];
  /** Open sockets at addresses that contain `path`. */
  static to(path: string): FakeSocket[] {
    return FakeSocket.opened.filter((socket) => !socket.isClosed && socket.url.includes(path));
  }

  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  readonly sent: Record<string, unknown>[] = [];
  isClosed = false;

  constructor(readonly url: string) {
    FakeSocket.opened.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.isClosed = true;
  }

  /** Opens the connection; the client sends its authorization. */
  accept(): void {
    this.onopen?.();
  }

  say(frame: unknown): void {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) });
  }

  /** Sends a message about an experiment. */
  receive(action: string, data?: unknown): void {
    this.say({ group: 'object_X0000001', type: 'object_broadcast', message: { action, data } });
  }

  drop(code = 1006, reason = ''): void {
    this.isClosed = true;
    this.onclose?.({ code, reason });
  }
}
