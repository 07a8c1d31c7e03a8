import { describe, expect, it } from 'vitest';
import { serverAddress } from '../../../src/dashboard/features/sign-in/sign-in.ts';

describe('the address of a server', () => {
  it.each([
    ['', ''],
    ['   ', ''],
    ['ergodic.example.org', 'https://ergodic.example.org'],
    ['localhost:8650', 'https://localhost:8650'],
    ['http://127.0.0.1:8650/', 'http://127.0.0.1:8650'],
    [' https://example.org/ergodic/ ', 'https://example.org/ergodic'],
    ['https://example.org/?token=x#y', 'https://example.org'],
  ])('typed as %j is %j', (typed, address) => {
    expect(serverAddress(typed)).toBe(address);
  });

  it.each(['javascript://x', 'file:///etc', 'ftp://example.org', 'https://', 'two words'])(
    'is not %s',
    (typed) => expect(() => serverAddress(typed)).toThrow('not the address'),
  );
});
