/**
 * A separate network for one process, joined to this machine by a cable that can be cut silently: frames get an unused
 * address, so packets vanish without an answer, in one direction or both. Needs root and Debian's iproute2.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

/** Where frames go that no device accepts. */
const NOBODY = '02:00:00:00:00:01';

export type Direction = 'to server' | 'to client';

export interface CutNetwork {
  /** This machine's address, as seen by the process inside. */
  readonly address: string;
  /** Starts a program inside. */
  readonly within: readonly string[];
  cut(...directions: Direction[]): void;
  heal(): void;
}

const names = new Set<string>();
afterAll(() => {
  for (const name of names) ip('netns', 'del', name);
});

let count = 0;

/** Addresses from the range reserved for network tests (RFC 2544), four per network. */
export function makeCutNetwork(): CutNetwork {
  count += 1;
  const name = `ergodic-${process.pid}-${count}`;
  const [here, there] = [
    `er${process.pid % 100_000}h${count}`,
    `er${process.pid % 100_000}t${count}`,
  ];
  const base = `198.18.${process.pid % 256}.${4 * count}`.split('.').map(Number);
  const at = (offset: number) => [...base.slice(0, 3), (base[3] ?? 0) + offset].join('.');
  const [address, inner] = [at(1), at(2)];
  const within = ['ip', 'netns', 'exec', name];
  const inside = (...args: string[]) => ip('-n', name, ...args);
  ip('netns', 'add', name);
  names.add(name);
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name);
  ip('addr', 'add', `${address}/30`, 'dev', here);
  ip('link', 'set', here, 'up');
  inside('addr', 'add', `${inner}/30`, 'dev', there);
  inside('link', 'set', there, 'up');
  inside('link', 'set', 'lo', 'up');
  const macHere = readFileSync(`/sys/class/net/${here}/address`, 'utf8').trim();
  const macThere = /link\/ether (\S+)/.exec(inside('link', 'show', there))?.[1] ?? '';
  const lead = { 'to server': '', 'to client': '' };
  const set = (direction: Direction, mac: string) => {
    if (lead[direction] === mac) return;
    lead[direction] = mac;
    if (direction === 'to server')
      inside('neigh', 'replace', address, 'lladdr', mac, 'dev', there, 'nud', 'permanent');
    else ip('neigh', 'replace', inner, 'lladdr', mac, 'dev', here, 'nud', 'permanent');
  };
  const heal = () => {
    set('to server', macHere);
    set('to client', macThere);
  };
  heal();
  return {
    address,
    within,
    cut(...directions) {
      for (const direction of directions) set(direction, NOBODY);
    },
    heal,
  };
}

function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8' });
}
