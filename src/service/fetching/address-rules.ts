/** Which network addresses a user's request may reach: public ones, and what the operator named. */
import ipaddr from 'ipaddr.js';

/** Everything in use on the public internet over IPv6 is in 2000::/3 (RFC 4291, IANA's registry). */
const globalIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Whether an address is that of a host on the public internet; false for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (parsed === null || parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalIpv6);
}

/** What a place that the operator named with its port may have beside public addresses: this machine, its own network. */
const ownRanges = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Never link-local (where clouds keep their keys), multicast or translated ones. */
export function isOwnAddress(address: string): boolean {
  const parsed = parse(address);
  return parsed !== null && ownRanges.includes(parsed.range());
}

/** Addresses with a zone (`fe80::1%eth0`) are local by their nature: null. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const text = address.replace(/^\[(.*)\]$/, '$1');
  // Dotted decimal only: parsers differ about octal and shorter forms, and the URL parser has resolved those already.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.IPv6.parse(text);
}
