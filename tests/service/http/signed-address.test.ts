import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressSigner } from '../../../src/service/http/signed-address.ts';

const key = new Uint8Array(32).fill(5);
const grant = { kind: 'data', id: 'D1234567', version: 3 } as const;
const ticketOf = (address: string) => address.split('/')[2];

describe('signed addresses', () => {
  it('are valid for their target, for an hour', () => {
    let now = 1_000_000_000_000;
    const signer = createAddressSigner(key, () => now);
    const address = signer.sign(grant, 'a b/c.json');
    expect(address).toMatch(/^\/files\/[\w-]+\.[\w-]+\/a%20b%2Fc\.json$/);
    expect(signer.verify(ticketOf(address), 'a b/c.json')).toEqual(grant);
    now += 3_599_000;
    expect(signer.verify(ticketOf(address), 'a b/c.json')).toEqual(grant);
    now += 1_000;
    expect(signer.verify(ticketOf(address), 'a b/c.json')).toBeNull();
  });

  it('signed with another key are refused', () => {
    const other = createAddressSigner(new Uint8Array(32).fill(6), () => 0);
    expect(
      createAddressSigner(key, () => 0).verify(ticketOf(other.sign(grant, 'x')), 'x'),
    ).toBeNull();
  });

  it('are refused after any change, and no text makes the check throw', () => {
    const signer = createAddressSigner(key, () => 0);
    const ticket = ticketOf(signer.sign(grant, 'x'));
    fc.assert(
      fc.property(
        fc.nat({ max: ticket.length - 1 }),
        fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '.'),
        (at, letter) => {
          const changed = ticket.slice(0, at) + letter + ticket.slice(at + 1);
          if (changed !== ticket) expect(signer.verify(changed, 'x')).toBeNull();
        },
      ),
      { seed: 5, numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.string(), (text) => signer.verify(text, 'x') === null),
      { seed: 5, numRuns: 1000 },
    );
  });

  it('are valid in one spelling and for one name, with nothing after the signature', () => {
    const signer = createAddressSigner(key, () => 0);
    const ticket = ticketOf(signer.sign(grant, 'x.json'));
    expect(signer.verify(ticket, 'x.json')).toEqual(grant);
    for (const more of ['.', '.x', '=', '==', '%', '!', 'A', ' ', '\n', '\0', '..'])
      expect(signer.verify(ticket + more, 'x.json'), more).toBeNull();
    for (const name of ['', 'x', 'x.json ', 'x.json.exe', 'X.json', 'x.json\n'])
      expect(signer.verify(ticket, name), name).toBeNull();
    // the last letter of a signature has bits that its bytes do not show
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const accepted = letters
      .split('')
      .filter((letter) => signer.verify(ticket.slice(0, -1) + letter, 'x.json') !== null);
    expect(accepted).toEqual([ticket.at(-1)]);
  });
});
