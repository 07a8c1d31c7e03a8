/** No form of an inside address passes for a public one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOwnAddress, isPublicAddress } from '../../../src/service/fetching/address-rules.ts';

const inside = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '8000::1',
];
const outside = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.215.14',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
];
const nonsense = [
  '',
  'localhost',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '127.1',
  '1.2.3.4.5',
  '[::1',
  '8.8.8.8 ',
  '256.1.1.1',
];

describe('public addresses', () => {
  it.each(inside)('do not include %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
  it.each(outside)('include %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  it.each(nonsense)('do not include "%s", which is not an address', (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(isOwnAddress(address)).toBe(false);
  });

  const byte = fc.integer({ min: 0, max: 255 });
  const word = fc.integer({ min: 0, max: 0xffff });
  const dotted = (bytes: readonly number[]) => bytes.join('.');

  it('include no address of the private blocks', () => {
    const block = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    );
    fc.assert(
      fc.property(block, (bytes) => {
        expect(isPublicAddress(dotted(bytes))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('include no IPv4 address mapped into an IPv6 one', () => {
    const prefix = fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::');
    fc.assert(
      fc.property(prefix, fc.tuple(byte, byte, byte, byte), (before, bytes) => {
        expect(isPublicAddress(before + dotted(bytes))).toBe(false);
        expect(isPublicAddress(`[${before}${dotted(bytes)}]`)).toBe(false);
        expect(isOwnAddress(before + dotted(bytes))).toBe(
          bytes.every((b, i) => b === [0, 0, 0, 1][i]) && before === '::',
        );
      }),
      { numRuns: 500 },
    );
  });

  it('include no IPv6 address outside 2000::/3', () => {
    const words = fc.tuple(word, word, word, word, word, word, word, word);
    fc.assert(
      fc.property(words, (parts) => {
        const isGlobal = parts[0] >> 13 === 1;
        const address = parts.map((part) => part.toString(16)).join(':');
        if (!isGlobal) expect(isPublicAddress(address)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('may be extended to loopback and private addresses, never to link-local or mapped ones', () => {
    for (const address of ['127.0.0.1', '::1', '10.1.2.3', '192.168.1.1', 'fd00::1'])
      expect(isOwnAddress(address)).toBe(true);
    for (const address of [
      '169.254.169.254',
      'fe80::1',
      '0.0.0.0',
      '::ffff:127.0.0.1',
      '224.0.0.1',
      '64:ff9b::7f00:1',
    ])
      expect(isOwnAddress(address)).toBe(false);
  });
});
