/** A person as the claims of a provider describe them: their name here, and what their groups let them do. */
import { createHash } from 'node:crypto';
import type { OidcConfig } from '../oidc-config.ts';

export type Claims = Readonly<Record<string, unknown>>;

export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
  /** What the provider calls them: shown beside their account. */
  readonly label: string;
  /** As an account may be called; perhaps somebody else's. */
  readonly name: string;
  readonly isAllowed: boolean;
  /** Null: the provider does not decide it. */
  readonly isAdmin: boolean | null;
  /** Groups that are teams here. */
  readonly teams: readonly string[];
}

/** Groups of one person that are looked at; a directory may name hundreds. */
const MAX_GROUPS = 500;

/**
 * What the signed ID token says, and what userinfo adds. Whether an address was verified is believed of that address alone:
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
  // an address that nobody verified may be anybody's
  const address = claims.email_verified === true ? textOf(claims.email).toLowerCase() : '';
  return (
    allowedGroups.some(isIn) || allowedDomains.some((domain) => address.endsWith(`@${domain}`))
  );
}

const isTeam = ({ teamGroups }: OidcConfig, group: string) =>
  teamGroups.some((one) => one === '*' || withoutSlash(one) === group);

/** The claim of this name, or what its dots lead to (`realm_access.roles`). */
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

/** Some providers write groups as paths: `/lab` and `lab` are one. */
const withoutSlash = (group: string) => group.replace(/^\//, '');

function groupsOf(claim: unknown): string[] {
  const all: unknown[] = typeof claim === 'string' ? [claim] : Array.isArray(claim) ? claim : [];
  const texts = all.slice(0, MAX_GROUPS).filter((one) => typeof one === 'string');
  const names = texts.map(withoutSlash);
  const usable = names.filter((one) => one !== '' && one.length <= 200 && !one.includes('\0'));
  return [...new Set(usable)];
}

/** The part of an address before the `@`; what names may not hold becomes a dash. Empty when nothing is left. */
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
