/** Shown at a loopback address: others cannot open its links, and what to do about it. */
import { IconAlertTriangle } from '@tabler/icons-react';
import type { OwnNetwork } from '../../../contract/system.ts';
import { useConfig } from '../../objects/use-config.ts';
import { isLoopback } from '../../session/link-token.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { ToneCard } from '../../ui/tone-card.tsx';
import classes from './sharing.module.css';

export function LoopbackNote() {
  const config = useConfig();
  const { host, protocol, port } = window.location;
  if (!isLoopback(window.location)) return null;
  return (
    <ToneCard
      label="Who can open the link"
      tone="warn"
      icon={IconAlertTriangle}
      className={classes.loopback}
    >
      <p>
        <strong>Only this computer can open links to {host}.</strong>{' '}
        <CodeText>
          {remedy(config?.network, (name) => `${protocol}//${name}${port && `:${port}`}`)}
        </CodeText>
      </p>
    </ToneCard>
  );
}

const byProxy = 'put a proxy with TLS in front of Ergodic and start it with';

/** How to let others open the link; `addressAt`: this page's address under another host name. */
function remedy(network: OwnNetwork | undefined, addressAt: (host: string) => string): string {
  const { address = null, is_open: isOpen = false } = network ?? {};
  const name = address?.includes(':') ? `[${address}]` : address;
  if (isOpen && name !== null)
    return `Others on your network can open ${addressAt(name)}: open the dashboard there and copy the link from Shares.`;
  const given = address ?? 'ADDRESS';
  const meaning = address === null ? ', with this computer’s address on the network' : '';
  const opened = name === null ? 'that address' : addressAt(name);
  return `To share with others on your network, start Ergodic with \`npm start -- --host ${given}\`${meaning}, open the dashboard at ${opened} and copy the link from Shares. To share beyond it, ${byProxy} \`--public-url https://…\`.`;
}
