import { describe, expect, it } from 'vitest';
import { type Interfaces, ownNetwork } from '../../../src/service/http/own-network.ts';

const address = (ip: string, family: 'IPv4' | 'IPv6' = 'IPv4', internal = false) =>
  ({ address: ip, family, internal, netmask: '', mac: '', cidr: null }) as never;
const laptop = (): Interfaces => ({
  lo: [address('127.0.0.1', 'IPv4', true)],
  docker0: [address('172.17.0.1')],
  wlan0: [address('fe80::1', 'IPv6'), address('169.254.7.7'), address('192.168.1.7')],
});

describe('the network of a service', () => {
  it.each([
    ['http://127.0.0.1:8650', '127.0.0.1', { address: '192.168.1.7', is_open: false }],
    ['http://[::1]:8650', '::1', { address: '192.168.1.7', is_open: false }],
    ['http://localhost:8650', '0.0.0.0', { address: '192.168.1.7', is_open: true }],
    ['http://localhost:8650', '::', { address: '192.168.1.7', is_open: true }],
    ['http://localhost:8650', '10.0.0.4', { address: '10.0.0.4', is_open: true }],
    ['http://192.168.1.7:8650', '0.0.0.0', undefined],
    ['https://ergodic.example.org', '127.0.0.1', undefined],
  ])('opened at %s, listening on %s', (baseUrl, host, expected) => {
    expect(ownNetwork(baseUrl, host, laptop)).toEqual(expected);
  });

  it('has no address if the machine is on no network', () => {
    const alone = () => ({ lo: [address('127.0.0.1', 'IPv4', true)] });
    expect(ownNetwork('http://127.0.0.1:8650', '127.0.0.1', alone)).toEqual({
      address: null,
      is_open: false,
    });
  });
});
