/** Which hosts and origins the service answers to: against DNS rebinding and requests forged by other pages. */
import { isIP } from 'node:net';
import type { ServiceConfig } from '../config.ts';
import { isLoopback } from '../loopback.ts';

/** The operator's settings for addresses. */
export type AddressConfig = Pick<
  ServiceConfig,
  'host' | 'publicUrl' | 'allowedHosts' | 'allowedOrigins'
>;

/** The name of a Host header without port, lower case, IPv6 without brackets; null when it is not valid. */
export function parseHost(header: string | undefined): string | null {
  if (header === undefined || !/^(\[[0-9a-f:.]+\]|[^\s:/\\@?#[\]]+)(:\d{1,5})?$/i.test(header))
    return null;
  try {
    const { hostname } = new URL(`http://${header}`);
    return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  } catch {
    return null;
  }
}

/**
 * True for the public address, the allowed hosts and loopback. When bound beyond loopback, also for any literal
 * address: a rebinding attack needs a name.
 */
export function isAllowedHost(host: string, config: AddressConfig): boolean {
  if (isLoopback(host)) return true;
  const names = config.allowedHosts.map((name) => parseHost(name) ?? name);
  if (config.publicUrl !== '') names.push(parseHost(new URL(config.publicUrl).host) ?? '');
  if (names.includes(host)) return true;
  return !isLoopback(parseHost(config.host) ?? config.host) && isIP(host) !== 0;
}

/** Whether a page at `origin` is our own (`host` is the request's Host header, port included). */
export function isOwnOrigin(origin: string, host: string, config: AddressConfig): boolean {
  if (config.publicUrl !== '' && origin === new URL(config.publicUrl).origin) return true;
  try {
    const url = new URL(origin);
    return /^https?:$/.test(url.protocol) && url.host === new URL(`${url.protocol}//${host}`).host;
  } catch {
    return false;
  }
}

export function isAllowedOrigin(origin: string, config: AddressConfig): boolean {
  return config.allowedOrigins.includes(origin);
}
