/** The network address of a service that its user opened by a loopback address. */
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import type { OwnNetwork } from '../../contract/system.ts';
import { isLoopback } from '../loopback.ts';
import { parseHost } from './address-checks.ts';

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** Networks inside this machine: containers, virtual machines, tunnels. */
const inside = /^(docker|br-|veth|virbr|vmnet|vboxnet|vEthernet|utun|tun|tap)/;

/**
 * Undefined for a caller who used an address other than loopback: that address already works for others, and this
 * machine's addresses are not published.
 */
export function ownNetwork(
  baseUrl: string,
  host: string,
  interfaces: () => Interfaces = networkInterfaces,
): OwnNetwork | undefined {
  if (!isLoopback(parseHost(new URL(baseUrl).host) ?? '')) return undefined;
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const address = isEverywhere || isLoopback(host) ? firstAddress(interfaces()) : host;
  return { address, is_open: !isLoopback(host) };
}

function firstAddress(interfaces: Interfaces): string | null {
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !inside.test(name))
    .flatMap(([, infos]) => infos ?? [])
    .filter(({ family, internal, address }) => {
      const isLinkLocal = address.startsWith('169.254.');
      return family === 'IPv4' && !internal && !isLinkLocal;
    });
  return addresses[0]?.address ?? null;
}
