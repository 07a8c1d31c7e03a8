/** Which network addresses a user's request may reach: public ones, and those that the operator named. */
import ipaddr from 'ipaddr.js';

/** Everything in use on the public internet over IPv6 is in 2000::/3 (RFC 4291, IANA's registry). */
const globalIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** Whether the address is that of a host on the public internet; false for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (parsed === null || parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalIpv6);
}

/** What a host that the operator named with its port may use besides public addresses: this machine, its network. */
const ownRanges = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Never link-local addresses (where clouds serve their keys), multicast or translated ones. */
export function isOwnAddress(address: string): boolean {
  const parsed = parse(address);
  return parsed !== null && ownRanges.includes(parsed.range());
}

/** Null for addresses with a zone (`fe80::1%eth0`), which are always local. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const text = address.replace(/^\[(.*)\]$/, '$1');
  // Dotted decimal only: parsers disagree about octal and shorter forms, and the URL parser has already resolved those.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return null;
  return ipaddr.IPv6.parse(text);
}
