/** What the claims of a provider say of a person, whichever of its two answers they are in. */
import { describe, expect, it } from 'vitest';
import { joinClaims, readPerson } from '../../../src/service/auth/provider-person.ts';
import { oidcConfigOf } from '../../support/oidc-server.ts';

const config = oidcConfigOf({ issuer: 'https://sso.example' });
const token = { iss: config.issuer, sub: 'sub-1' };

describe('claims of the ID token and of userinfo', () => {
  it('add to each other, and the signed ones win', () => {
    const joined = joinClaims({ ...token, name: 'Ada' }, { sub: 'x', name: 'Eve', groups: ['a'] });
    expect(joined).toEqual({ ...token, name: 'Ada', groups: ['a'] });
  });

  it('never lend the check of one address to another', () => {
    const signed = { ...token, email: 'eve@lab.example' };
    const joined = joinClaims(signed, { email: 'eve@else.example', email_verified: true });
    expect(readPerson(config, joined).isAllowed).toBe(false);
    const same = joinClaims(signed, { email: 'eve@lab.example', email_verified: true });
    expect(readPerson(config, same).isAllowed).toBe(true);
    const other = joinClaims(
      { ...token, email_verified: true },
      { email: 'eve@lab.example', email_verified: false },
    );
    expect(readPerson(config, other).isAllowed).toBe(false);
    const alone = joinClaims(token, { email: 'eve@lab.example', email_verified: true });
    expect(readPerson(config, alone).isAllowed).toBe(true);
  });
});
