/** The operator's list of hosts that may be fetched from: `--allow-fetch HOST`. */

/** A parsed entry of the list. */
interface Entry {
  /** Lower case; `*`: every host; `*.example.org`: its subdomains. */
  readonly host: string;
  /** Null: the scheme's default. */
  readonly port: string | null;
  /** Null: https. */
  readonly scheme: 'http:' | 'https:' | null;
}

export interface AllowedPlace {
  /** Whether the operator named this exact port, which allows addresses inside their own network. */
  readonly isNamed: boolean;
}

export interface AllowList {
  readonly isEmpty: boolean;
  /** Null: not allowed. */
  find(url: URL): AllowedPlace | null;
}

/**
 * Forms: `*` every public host, `host`, `*.host`, `host:port`, `http://host:port`. With a port (or a scheme) it may be
 * this machine or in its network; without, only public addresses are allowed. Plain http needs an entry that says so,
 * or `allowHttp`, which allows it everywhere.
 */
export function readAllowList(entries: readonly string[], allowHttp: boolean): AllowList {
  const read = entries.map(readEntry);
  return {
    isEmpty: read.length === 0,
    find(url) {
      const matching = read.filter((entry) => isMatch(entry, url, allowHttp));
      if (matching.length === 0) return null;
      return { isNamed: matching.some((entry) => entry.port !== null || entry.scheme !== null) };
    },
  };
}

function readEntry(text: string): Entry {
  const [, scheme, rest = text] = /^(?:(https?):\/\/)?(.*?)\/?$/i.exec(text) ?? [];
  const [, host = rest, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(rest) ?? [];
  return {
    host: host.toLowerCase(),
    port: port ?? null,
    scheme: scheme === undefined ? null : (`${scheme.toLowerCase()}:` as 'http:' | 'https:'),
  };
}

const defaultPort = (protocol: string) => (protocol === 'http:' ? '80' : '443');

function isMatch({ host, port, scheme }: Entry, url: URL, allowHttp: boolean): boolean {
  const isHost =
    host === '*' ||
    (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === url.hostname);
  const isScheme = url.protocol === (scheme ?? 'https:') || (scheme === null && allowHttp);
  const portOf = url.port === '' ? defaultPort(url.protocol) : url.port;
  return isHost && isScheme && portOf === (port ?? defaultPort(url.protocol));
}
