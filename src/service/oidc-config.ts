/** The operator's single sign-on settings: the provider, who may sign in, and what its groups mean here. */
import { isLoopback } from './loopback.ts';
import { StartError } from './start-error.ts';

export interface OidcConfig {
  /** As in its discovery document. */
  readonly issuer: string;
  readonly clientId: string;
  /** A file that contains the secret; empty: `clientSecret`. */
  readonly clientSecretFile: string;
  /** From the environment; also empty: the client is public, and only PKCE protects it. */
  readonly clientSecret: string;
  /** The provider's display name: *Sign in with NAME*. */
  readonly name: string;
  readonly scope: string;
  /** The claim that lists a person's groups; dots lead into objects. */
  readonly groupsClaim: string;
  /** The claim that names the person. */
  readonly nameClaim: string;
  /** Who may sign in; both lists empty: everyone with an account at the provider. */
  readonly allowedGroups: readonly string[];
  readonly allowedDomains: readonly string[];
  /** Its members may see and change everything; empty: no such group. */
  readonly adminGroup: string;
  /** Groups that become teams here; `*`: all groups. */
  readonly teamGroups: readonly string[];
  /** Passwords are refused. */
  readonly only: boolean;
  /** Hours until a session ends and the user has to sign in at the provider again. */
  readonly sessionHours: number;
}

export interface OptionRow {
  /** Long option without dashes. */
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'flag' | 'list';
  readonly value?: string;
  readonly meaning: string;
}

export const oidcOptions: readonly OptionRow[] = [
  {
    name: 'oidc-issuer',
    kind: 'text',
    value: 'URL',
    meaning: 'the OpenID Connect provider that people sign in with',
  },
  {
    name: 'oidc-client-id',
    kind: 'text',
    value: 'ID',
    meaning: 'what this service is called there; its secret: ERGODIC_OIDC_CLIENT_SECRET',
  },
  {
    name: 'oidc-client-secret-file',
    kind: 'text',
    value: 'FILE',
    meaning: 'a file that holds the secret instead',
  },
  {
    name: 'oidc-name',
    kind: 'text',
    value: 'NAME',
    meaning: 'what the sign-in page calls the provider (its host name)',
  },
  {
    name: 'oidc-scope',
    kind: 'text',
    value: 'SCOPES',
    meaning: 'scopes to ask for (openid profile email)',
  },
  {
    name: 'oidc-name-claim',
    kind: 'text',
    value: 'CLAIM',
    meaning: 'the claim that names a person (preferred_username)',
  },
  {
    name: 'oidc-groups-claim',
    kind: 'text',
    value: 'CLAIM',
    meaning: "the claim that lists a person's groups (groups)",
  },
  {
    name: 'oidc-allowed-group',
    kind: 'list',
    value: 'GROUP',
    meaning: 'a group that may sign in (with no groups or domains: everyone there)',
  },
  {
    name: 'oidc-allowed-domain',
    kind: 'list',
    value: 'DOMAIN',
    meaning: 'a domain of verified e-mail addresses that may sign in',
  },
  {
    name: 'oidc-admin-group',
    kind: 'text',
    value: 'GROUP',
    meaning: 'a group whose members see and change everything',
  },
  {
    name: 'oidc-team-group',
    kind: 'list',
    value: 'GROUP',
    meaning: 'a group that is a team here (*: every group; none)',
  },
  {
    name: 'oidc-session-hours',
    kind: 'integer',
    value: 'HOURS',
    meaning: 'hours until the provider is asked again (12)',
  },
  {
    name: 'oidc-only',
    kind: 'flag',
    meaning: 'refuse passwords; ergodic token still gives access',
  },
];

/** How options are read, whether from the command line or the environment. */
export interface OptionReader {
  readonly text: (name: string, fallback: string) => string;
  readonly integer: (name: string, fallback: number, most: number) => number;
  readonly flag: (name: string) => boolean;
  /** Names that may contain spaces: one per option, or separated by commas in the environment. */
  readonly names: (name: string) => readonly string[];
}

/** Null if no provider is named. Throws `StartError` that names the invalid option. */
export function readOidcConfig(
  { text, integer, flag, names }: OptionReader,
  clientSecret: string,
): OidcConfig | null {
  const issuer = text('oidc-issuer', '').trim();
  const clientId = text('oidc-client-id', '').trim();
  if (issuer === '' && clientId === '') {
    if (flag('oidc-only')) throw new StartError('--oidc-only needs a provider: --oidc-issuer URL.');
    return null;
  }
  if (issuer === '' || clientId === '')
    throw new StartError('--oidc-issuer and --oidc-client-id belong together; one is missing.');
  const url = checkIssuer(issuer);
  const sessionHours = integer('oidc-session-hours', 12, 168);
  if (sessionHours === 0) throw new StartError('--oidc-session-hours must be at least 1.');
  const scopes = new Set(text('oidc-scope', 'openid profile email').split(/\s+/).filter(Boolean));
  return {
    issuer,
    clientId,
    clientSecretFile: text('oidc-client-secret-file', ''),
    clientSecret,
    name: text('oidc-name', url.host),
    scope: ['openid', ...[...scopes].filter((one) => one !== 'openid')].join(' '),
    groupsClaim: text('oidc-groups-claim', 'groups'),
    nameClaim: text('oidc-name-claim', 'preferred_username'),
    allowedGroups: names('oidc-allowed-group'),
    allowedDomains: names('oidc-allowed-domain').map((one) => one.toLowerCase().replace(/^@/, '')),
    adminGroup: text('oidc-admin-group', ''),
    teamGroups: names('oidc-team-group'),
    only: flag('oidc-only'),
    sessionHours,
  };
}

function checkIssuer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new StartError(
      `--oidc-issuer must be an address such as https://sso.example.org/realms/lab, not "${text}".`,
    );
  const isPlain = url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  if (url.protocol !== 'https:' && !isPlain)
    throw new StartError('--oidc-issuer must begin with https://: tokens cross the network.');
  return url;
}
