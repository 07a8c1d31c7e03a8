/** What a provider's claims say about a person, whichever of its two answers they are in. */
import { describe, expect, it } from 'vitest';
import { accountName, joinClaims, readPerson } from '../../../src/service/auth/provider-person.ts';
import type { OidcConfig } from '../../../src/service/oidc-config.ts';
import { oidcConfigOf } from '../../support/oidc-server.ts';

const config = oidcConfigOf({ issuer: 'https://sso.example' });
const token = { iss: config.issuer, sub: 'sub-1' };

describe('claims of the ID token and of userinfo', () => {
  it('are merged, and the signed ones take precedence', () => {
    const joined = joinClaims({ ...token, name: 'Ada' }, { sub: 'x', name: 'Eve', groups: ['a'] });
    expect(joined).toEqual({ ...token, name: 'Ada', groups: ['a'] });
  });

  it('never transfer the verification of one address to another', () => {
    const signed = { ...token, email: 'eve@lab.example' };
    const joined = joinClaims(signed, { email: 'eve@else.example', email_verified: true });
    expect(joined.email).toBe(signed.email);
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

describe('a person', () => {
  const open = { ...config, allowedGroups: [], allowedDomains: [], adminGroup: '', teamGroups: [] };
  const read = (claims: object, more: Partial<OidcConfig> = {}) =>
    readPerson({ ...open, ...more }, { ...token, ...claims });

  it.each<[object, string, string]>([
    [{ preferred_username: 'ada', email: 'a@lab.example', name: 'Ada L.' }, 'ada', 'ada'],
    [{ preferred_username: 'ada@lab.example' }, 'ada@lab.example', 'ada'],
    [
      { preferred_username: '', email: 'grace@lab.example', name: 'G.' },
      'grace@lab.example',
      'grace',
    ],
    [{ preferred_username: 7, name: 'Ada L.' }, 'Ada L.', 'user-0a80627d'],
    [{}, 'sub-1', 'user-0a80627d'],
    [{ preferred_username: 'a\0da\0' }, 'ada', 'ada'],
    [{ preferred_username: 'x'.repeat(201) }, 'x'.repeat(200), 'x'.repeat(56)],
    [{ preferred_username: '---', name: 'Ada' }, '---', 'user-0a80627d'],
  ])('with claims %j is shown as %s and named %s', (claims, label, name) => {
    expect(read(claims)).toMatchObject({ issuer: config.issuer, subject: 'sub-1', label, name });
  });

  it.each<[string, object, unknown]>([
    ['groups', { groups: ['a', 'b'] }, ['a', 'b']],
    ['groups', { groups: 'a' }, ['a']],
    ['groups', { groups: { a: 1 } }, []],
    ['groups', { groups: ['/a', 'a', 'b/c', '', '/', 7, 'd\0', 'e'.repeat(201)] }, ['a', 'b/c']],
    ['groups', { groups: ['f'.repeat(200)] }, ['f'.repeat(200)]],
    [
      'groups',
      { groups: Array.from({ length: 501 }, (_, i) => (i < 499 ? 'a' : `b${i}`)) },
      ['a', 'b499'],
    ],
    ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
    ['realm_access.roles', { realm_access: { roles: ['a'] }, 'realm_access.roles': ['b'] }, ['b']],
    ['realm_access.roles', { realm_access: null }, []],
    ['realm_access.0', { realm_access: 'text' }, []],
    ['realm_access.roles', {}, []],
    ['constructor.name', {}, []],
  ])('has the groups in the claim %s: %j', (groupsClaim, claims, groups) => {
    expect(read(claims, { groupsClaim, teamGroups: ['*'] }).teams).toEqual(groups);
  });

  it('belongs only to teams that are configured as groups', () => {
    const groups = ['/lab', 'clinic', 'laboratory'];
    expect(read({ groups }).teams).toEqual([]);
    expect(read({ groups }, { teamGroups: ['lab', '/clinic', 'other'] }).teams).toEqual([
      'lab',
      'clinic',
    ]);
  });

  it('is an administrator by group, if an administrator group is configured', () => {
    const isAdmin = (groups: string[], adminGroup: string) =>
      read({ groups }, { adminGroup }).isAdmin;
    expect(isAdmin(['operators'], '')).toBeNull();
    expect(isAdmin(['operators'], '/operators')).toBe(true);
    expect(isAdmin(['/operators'], 'operators')).toBe(true);
    expect(isAdmin(['modellers'], 'operators')).toBe(false);
  });

  const groups = { allowedGroups: ['/lab', 'clinic'] };
  const domains = { allowedDomains: ['other.example', 'lab.example'] };
  const mail = (email: string, isVerified: unknown = true) => ({
    email,
    email_verified: isVerified,
  });
  it.each<[string, object, Partial<OidcConfig>, boolean]>([
    ['anyone, if nothing is required', {}, {}, true],
    ['nobody without a group', {}, groups, false],
    ['a member of one of the groups', { groups: ['lab'] }, groups, true],
    ['no member of another group', { groups: ['la'] }, groups, false],
    ['an administrator', { groups: ['operators'] }, { ...groups, adminGroup: 'operators' }, true],
    ['nobody outside these groups', { groups: [] }, { ...groups, adminGroup: 'operators' }, false],
    ['nobody without an address', {}, domains, false],
    ['an address of a domain', mail('Ada@Lab.Example'), domains, true],
    ['no address that is not verified', mail('ada@lab.example', false), domains, false],
    ['no address that is said to be', mail('ada@lab.example', 'true'), domains, false],
    ['no address of a domain below', mail('ada@evil.lab.example'), domains, false],
    ['no address that has the domain before its end', mail('ada@lab.example@evil'), domains, false],
    ['no domain alone', mail('lab.example'), domains, false],
    ['an address, though not of a group', mail('a@lab.example'), { ...groups, ...domains }, true],
    ['a member, though not of a domain', { groups: ['lab'] }, { ...groups, ...domains }, true],
  ])('may sign in: %s', (_, claims, more, isAllowed) => {
    expect(read(claims, more).isAllowed).toBe(isAllowed);
  });
});

describe('the name of an account', () => {
  it.each([
    ['ada@lab.example', 'ada'],
    ['a@b@c', 'a'],
    ['ada\n@lab', 'ada'],
    ['ada@lab\n.example', 'ada'],
    ['@home', 'home'],
    ['Ada  Lovelace', 'Ada-Lovelace'],
    ['e\u0301milie', 'émilie'],
    ['李9.b_c-d', '李9.b_c-d'],
    ['..-__ada', 'ada'],
    ['ada--', 'ada'],
    ['ada..', 'ada..'],
    ['a--b..c', 'a--b..c'],
    ['!!', ''],
    ['x'.repeat(57), 'x'.repeat(56)],
  ])('made from %j is %j', (text, name) => expect(accountName(text)).toBe(name));
});
