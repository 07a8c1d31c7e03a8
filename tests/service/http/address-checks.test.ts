import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AddressConfig,
  isAllowedHost,
  isOwnOrigin,
  parseHost,
} from '../../../src/service/http/address-checks.ts';

const local: AddressConfig = {
  host: '127.0.0.1',
  publicUrl: '',
  allowedHosts: [],
  allowedOrigins: [],
};
const open: AddressConfig = {
  host: '0.0.0.0',
  publicUrl: 'https://draws.example.org',
  allowedHosts: ['lab.local'],
  allowedOrigins: [],
};

describe('parseHost', () => {
  it.each([
    ['127.0.0.1:8650', '127.0.0.1'],
    ['LOCALHOST', 'localhost'],
    ['[::1]:80', '::1'],
    ['example.org.', 'example.org'],
  ])('reads %s', (header, host) => expect(parseHost(header)).toBe(host));

  it.each([
    '',
    'a b',
    'user@localhost',
    'localhost/x',
    'localhost#',
    'a:b:c',
    '[::1',
    undefined,
    'localhost\\x',
  ])('refuses %s', (header) => expect(parseHost(header)).toBeNull());

  it('never throws and never returns a separator', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const host = parseHost(text);
        return host === null || !/[/@?#\s]/.test(host);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});

describe('isAllowedHost', () => {
  it.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('a local service answers to %s', (host) =>
    expect(isAllowedHost(host, local)).toBe(true),
  );
  it.each([
    'example.org',
    '127.0.0.1.example.org',
    '10.0.0.1',
    '10.example.org',
    'localhost.example.org',
    '0.0.0.0',
  ])('a local service refuses %s', (host) => expect(isAllowedHost(host, local)).toBe(false));
  it.each(['draws.example.org', 'lab.local', '192.168.1.7', 'fe80::1', 'localhost'])(
    'an open service answers to %s',
    (host) => expect(isAllowedHost(host, open)).toBe(true),
  );
  it.each(['evil.example.org', 'lab.local.example.org', '192.168.1.7.example.org'])(
    'an open service refuses %s, against DNS rebinding',
    (host) => expect(isAllowedHost(host, open)).toBe(false),
  );
});

describe('isOwnOrigin', () => {
  it('compares host and port', () => {
    expect(isOwnOrigin('http://localhost:8650', 'localhost:8650', local)).toBe(true);
    expect(isOwnOrigin('http://localhost:5173', 'localhost:8650', local)).toBe(false);
    expect(isOwnOrigin('http://localhost', 'localhost:80', local)).toBe(true);
  });
  it('accepts the public address behind a proxy', () =>
    expect(isOwnOrigin('https://draws.example.org', '127.0.0.1:8650', open)).toBe(true));
  it.each([
    'null',
    '',
    'http://localhost:8650.example.org',
    'file://localhost:8650',
    'chrome-extension://abc',
  ])('refuses %s', (origin) => expect(isOwnOrigin(origin, 'localhost:8650', local)).toBe(false));
});
