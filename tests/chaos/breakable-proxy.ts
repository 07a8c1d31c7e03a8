/** Forwards bytes to the service until its connections are cut or stalled. */
import net, { type AddressInfo, type Socket } from 'node:net';

export class BreakableProxy {
  port = 0;
  private target = 0;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private readonly server = net.createServer((caller) => this.join(caller));

  async listen(target: number): Promise<void> {
    this.target = target;
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Resets every connection, whatever is in flight; returns how many. */
  cut(): number {
    const { size } = this.pairs;
    for (const pair of this.pairs) for (const socket of pair) socket.resetAndDestroy();
    this.pairs.clear();
    return size;
  }

  /** Lets nothing through for a while. */
  async stall(ms: number): Promise<void> {
    const pairs = [...this.pairs];
    for (const pair of pairs) for (const socket of pair) socket.pause();
    await new Promise((resolve) => setTimeout(resolve, ms));
    for (const pair of pairs) for (const socket of pair) socket.resume();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private join(caller: Socket): void {
    const service = net.connect(this.target, '127.0.0.1');
    const pair = [caller, service] as const;
    this.pairs.add(pair);
    for (const [from, to] of [pair, [service, caller] as const]) {
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        this.pairs.delete(pair);
      });
    }
  }
}
