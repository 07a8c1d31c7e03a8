/**
 * Fetches addresses that users name, without letting them reach our own network: only https and public addresses, which
 * are resolved once and connected to as resolved; redirects are checked again, and bytes and time are limited.
 */
import { lookup as lookupHost } from 'node:dns/promises';
import { limits } from '../../contract/limits.ts';
import {
  invalidParameter,
  limitExceeded,
  notSupported,
  ServiceError,
  tooLarge,
  unavailable,
} from '../http/service-error.ts';
import { inChildSpan } from '../spans.ts';
import { isOwnAddress, isPublicAddress } from './address-rules.ts';
import { type AllowedPlace, type AllowList, readAllowList } from './allow-list.ts';
import { fileNameOf } from './fetched-name.ts';
import { type Answered, FetchFault, request } from './request.ts';

export interface FetchBounds {
  /** Limit on the body, both as received and unpacked; the file limit of `/sys/config` when absent. */
  readonly maxBytes?: number;
  /** For the entire fetch; 30 s when absent. */
  readonly timeoutMs?: number;
  /** Media types to request from the host. */
  readonly accept?: string;
}

export interface Fetched {
  readonly bytes: Uint8Array;
  /** A name that is safe as a path segment. */
  readonly fileName: string;
  /** Lower case, without parameters; empty when the server gives none. */
  readonly mediaType: string;
  readonly finalAddress: string;
}

export interface Fetcher {
  /** False: the operator allowed no host. */
  readonly isOn: boolean;
  /**
   * Throws `ServiceError`: INVALID_PARAMETER for an address that is forbidden or not reachable, NOT_SUPPORTED with the
   * option to set, TOO_LARGE, LIMIT_EXCEEDED for time, UNAVAILABLE when there are too many fetches at the same time.
   */
  fetch(address: string, bounds?: FetchBounds): Promise<Fetched>;
}

export type Lookup = (host: string) => Promise<readonly string[]>;

export interface FetcherOptions {
  /** See `readAllowList`. */
  readonly allowFetch: readonly string[];
  /** Allows plain http everywhere, not only for entries that say so. */
  readonly allowHttp?: boolean;
  /** Resolves a host to its addresses; the system's resolver when absent. */
  readonly lookup?: Lookup;
  /** PEM certificates to trust in addition to the built-in ones. */
  readonly certificates?: readonly string[];
}

const MOST_REDIRECTS = 5;
const MOST_AT_ONCE = 16;
/** Addresses of a host to try before giving up. */
const MOST_TRIES = 3;

const systemLookup: Lookup = async (host) =>
  (await lookupHost(host, { all: true, verbatim: true })).map(({ address }) => address);

export function createFetcher(options: FetcherOptions): Fetcher {
  const { allowFetch, allowHttp = false, lookup = systemLookup, certificates } = options;
  const list = readAllowList(allowFetch, allowHttp);
  let atOnce = 0;
  return {
    isOn: !list.isEmpty,
    async fetch(address, bounds = {}) {
      if (atOnce >= MOST_AT_ONCE)
        throw unavailable('Too many files are being fetched at once; try again in a moment.', 5);
      atOnce++;
      try {
        // users choose the addresses, so spans do not contain them
        return await inChildSpan('fetch', { kind: 'client' }, async (span) => {
          const fetched = await follow(address, { list, lookup, certificates, bounds });
          span.set({ 'http.response.body.size': fetched.bytes.length });
          return fetched;
        });
      } finally {
        atOnce--;
      }
    },
  };
}

interface Way {
  readonly list: AllowList;
  readonly lookup: Lookup;
  readonly certificates?: readonly string[];
  readonly bounds: FetchBounds;
}

async function follow(address: string, way: Way): Promise<Fetched> {
  const { maxBytes = limits.file_bytes, timeoutMs = 30_000, accept = '*/*' } = way.bounds;
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  try {
    let url = checkAddress(address);
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const place = checkPlace(way.list, url);
      const addresses = await unlessEnded(ending.signal, resolve(way.lookup, url, place));
      const { certificates } = way;
      const bounds = { maxBytes, accept, signal: ending.signal, certificates };
      const answer = await tryEach(addresses, (to) => request(url, { ...bounds, address: to }));
      if (answer.location === null) return found(answer, url);
      url = nextAddress(answer.location, url);
    }
    throw invalidParameter(`${hostOf(url)} redirects more than ${MOST_REDIRECTS} times.`);
  } catch (error) {
    throw explain(error, { timeoutMs, maxBytes, isLate: ending.signal.aborted });
  } finally {
    clearTimeout(timer);
  }
}

const hostOf = (url: URL) => url.host;

/** Throws INVALID_PARAMETER. */
function checkAddress(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalidParameter('This address cannot be fetched: it must begin with https://.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalidParameter(
      `Addresses that begin with ${url.protocol} cannot be fetched: use https.`,
    );
  if (url.username !== '' || url.password !== '')
    throw invalidParameter('An address that contains a user name or password cannot be fetched.');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url;
}

function checkPlace(list: AllowList, url: URL): AllowedPlace {
  const place = list.find(url);
  if (place !== null) return place;
  if (list.isEmpty)
    throw notSupported(
      `This server fetches nothing from other hosts. Its operator can allow it: --allow-fetch ${url.hostname}`,
    );
  if (url.protocol === 'http:')
    throw invalidParameter(`${hostOf(url)} cannot be fetched without TLS: use an https address.`);
  throw notSupported(
    `This server does not fetch from ${hostOf(url)}. Its operator can allow it: --allow-fetch ${url.host}`,
  );
}

/** The addresses to connect to. One forbidden address rejects all: a name that points inside is not an accident. */
async function resolve(
  lookup: Lookup,
  url: URL,
  { isNamed }: AllowedPlace,
): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLiteral = url.hostname.startsWith('[') || /^[\d.]+$/.test(host);
  let addresses: readonly string[];
  try {
    addresses = isLiteral ? [host] : await lookup(host);
  } catch {
    throw invalidParameter(`There is no host ${url.hostname}.`);
  }
  if (addresses.length === 0) throw invalidParameter(`There is no host ${url.hostname}.`);
  const isAllowed = (address: string) =>
    isPublicAddress(address) || (isNamed && isOwnAddress(address));
  if (!addresses.every(isAllowed))
    throw invalidParameter(
      `${url.hostname} is not on the public internet, so nothing is fetched from it.`,
    );
  // IPv4 first: many machines resolve IPv6 addresses but have no route to them
  return addresses.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
}

async function tryEach(
  addresses: readonly string[],
  work: (address: string) => Promise<Answered>,
): Promise<Answered> {
  const tried = addresses.slice(0, MOST_TRIES);
  for (const [i, address] of tried.entries()) {
    try {
      return await work(address);
    } catch (error) {
      const mayOther = error instanceof FetchFault && error.why === 'unreachable';
      if (!mayOther || i === tried.length - 1) throw error;
    }
  }
  throw new FetchFault('unreachable');
}

function nextAddress(location: string, from: URL): URL {
  let next: URL;
  try {
    next = checkAddress(new URL(location, from).href);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw invalidParameter(`${hostOf(from)} redirects to something that is not an address.`);
  }
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw invalidParameter(
      `${hostOf(from)} redirects to an address without TLS, which cannot be fetched.`,
    );
  return next;
}

function found({ bytes, mediaType, disposition }: Answered, url: URL): Fetched {
  url.hash = '';
  return { bytes, mediaType, fileName: fileNameOf(url, disposition), finalAddress: url.href };
}

async function unlessEnded<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((give, refuse) => {
    const end = () => refuse(new FetchFault('late'));
    signal.addEventListener('abort', end, { once: true });
    work.then(give, refuse).finally(() => signal.removeEventListener('abort', end));
  });
}

interface Met {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly isLate: boolean;
}

/** A message that contains nothing the other side sent. */
function explain(error: unknown, { timeoutMs, maxBytes, isLate }: Met): unknown {
  if (isLate || (error instanceof FetchFault && error.why === 'late'))
    return limitExceeded(`The host took longer than ${Math.round(timeoutMs / 1000)} s.`);
  if (!(error instanceof FetchFault)) return error;
  switch (error.why) {
    case 'too-large':
      return tooLarge(`The file at this address has more than ${maxBytes} bytes.`, {
        limit: maxBytes,
      });
    case 'status':
      return invalidParameter(`The address could not be fetched: the answer was ${error.status}.`, {
        status: error.status,
      });
    case 'certificate':
      return invalidParameter('The address could not be fetched: its certificate is not valid.');
    case 'encoding':
      return invalidParameter(
        'The address could not be fetched: its answer is damaged, or compressed in an unknown way.',
      );
    default:
      return invalidParameter('The address could not be fetched: the host cannot be reached.');
  }
}
