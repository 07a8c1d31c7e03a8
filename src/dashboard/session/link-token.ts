/** What every start needs for a `?token=` link; opening one is in `open-link.ts`, loaded only for such a link. */

/** Removes `?token=…` from the address, before the first render, so that nothing ever shows it. */
export function takeLinkToken(location: Location, history: History): string | null {
  const address = new URL(location.href);
  const token = address.searchParams.get('token');
  if (token === null) return null;
  address.searchParams.delete('token');
  history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  return token === '' ? null : token;
}

export const isLoopback = ({ hostname }: Location): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
