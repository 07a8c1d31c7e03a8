/** A person as a provider's claims describe them: their name here, and what their groups allow. */
import { createHash } from 'node:crypto';
import type { OidcConfig } from '../oidc-config.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  /** The provider's name for them: shown next to their account. */
  readonly label: string;
  /** A possible account name; another account may have it. */
  readonly name: string;
  readonly isAllowed: boolean;
  /** Null: the provider does not decide this. */
  readonly isAdmin: boolean | null;
  /** Groups that are teams here. */
  readonly teams: readonly string[];
}

/** Groups of one person that are read; a directory may list hundreds. */
const MAX_GROUPS = 500;

/**
 * Combines the signed ID token with userinfo. An address counts as verified only where that same address was verified:
 * the two may name different ones.
 */
export function joinClaims(signed: Claims, asked: Claims): Claims {
  const mail = signed.email === undefined ? asked : signed;
  const isVerified =
    mail.email_verified ?? (asked.email === mail.email ? asked.email_verified : undefined);
  return { ...asked, ...signed, email: mail.email, email_verified: isVerified };
}

export function readPerson(config: OidcConfig, claims: Claims): ProviderPerson {
  const issuer = textOf(claims.iss);
  const subject = textOf(claims.sub);
  const groups = groupsOf(claimAt(claims, config.groupsClaim));
  const isIn = (group: string) => groups.includes(withoutSlash(group));
  const isAdmin = config.adminGroup === '' ? null : isIn(config.adminGroup);
  const called = textOf(claimAt(claims, config.nameClaim)) || textOf(claims.email);
  return {
    issuer,
    subject,
    label: (called || textOf(claims.name) || subject).slice(0, 200),
    name: accountName(called) || `user-${shortHash(subject)}`,
    isAllowed: isOpen(config) || isAdmin === true || isInvited(config, claims, isIn),
    isAdmin,
    teams: groups.filter((group) => isTeam(config, group)),
  };
}

const isOpen = ({ allowedGroups, allowedDomains }: OidcConfig) =>
  allowedGroups.length === 0 && allowedDomains.length === 0;

function isInvited(
  { allowedGroups, allowedDomains }: OidcConfig,
  claims: Claims,
  isIn: (group: string) => boolean,
): boolean {
  // an unverified address may be anyone's
  const address = claims.email_verified === true ? textOf(claims.email).toLowerCase() : '';
  return (
    allowedGroups.some(isIn) || allowedDomains.some((domain) => address.endsWith(`@${domain}`))
  );
}

const isTeam = ({ teamGroups }: OidcConfig, group: string) =>
  teamGroups.some((one) => one === '*' || withoutSlash(one) === group);

/** The claim with this name, or the one at this dotted path (`realm_access.roles`). */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isObject) return undefined;
    value = (value as Claims)[name];
  }
  return value;
}

/** Some providers write groups as paths: `/lab` and `lab` are the same. */
const withoutSlash = (group: string) => group.replace(/^\//, '');

function groupsOf(claim: unknown): string[] {
  const all: unknown[] = typeof claim === 'string' ? [claim] : Array.isArray(claim) ? claim : [];
  const texts = all.slice(0, MAX_GROUPS).filter((one) => typeof one === 'string');
  const names = texts.map(withoutSlash);
  const usable = names.filter((one) => one !== '' && one.length <= 200 && !one.includes('\0'));
  return [...new Set(usable)];
}

/** The part of an address before the `@`; characters not allowed in names become dashes. Empty if nothing is left. */
export function accountName(text: string): string {
  return text
    .replace(/(?<=.)@.*/s, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, 56);
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('\0', '') : '';
