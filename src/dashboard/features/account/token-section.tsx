/** API tokens: created, shown once, renamed, revoked. */
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import type { Token } from '../../../contract/account.ts';
import { accountKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { Card } from '../../ui/card.tsx';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { formatDay } from '../../ui/dates.ts';
import { Form } from '../../ui/form.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './account-page.module.css';
import { useTokens } from './use-tokens.ts';

const lifetimes = [
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'A year' },
];

export function TokenSection() {
  const { tokens, revoke, rename } = useTokens();
  const [made, setMade] = useState<Token | null>(null);
  return (
    <Card padded>
      <h2>API tokens</h2>
      <p className={classes.dim}>
        For scripts: sent as <code>Authorization: Bearer …</code>. A token is shown once, when it is
        created.
      </p>
      {made !== null && (
        <p className={classes.made} role="status">
          Copy it now; it will not be shown again: <CopyableId id={made.token} />
        </p>
      )}
      {tokens.length > 0 && (
        <ul className={classes.tokens}>
          {tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onRename={(name) => rename({ id: token.id, name })}
              onRevoke={() => revoke(token)}
            />
          ))}
        </ul>
      )}
      <NewToken onMade={setMade} />
    </Card>
  );
}

interface TokenRowProps {
  readonly token: Token;
  readonly onRename: (name: string) => Promise<unknown>;
  readonly onRevoke: () => Promise<unknown>;
}

function TokenRow({ token, onRename, onRevoke }: TokenRowProps) {
  return (
    <li>
      <TokenName name={token.token_name} onRename={onRename} />
      <code>{token.token}</code>
      <span className={classes.dim}>until {formatDay(new Date(token.token_expire))}</span>
      <span className={classes.dim}>
        {token.last_used_at ? (
          <>
            used <RelativeTime date={token.last_used_at} />
          </>
        ) : (
          'never used'
        )}
      </span>
      <Button size="xs" className={classes.revoke} onClick={() => void onRevoke()}>
        Revoke
      </Button>
    </li>
  );
}

function NewToken({ onMade }: { readonly onMade: (token: Token) => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const create = useAction(
    (client) => {
      const expire = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
      return client.createToken({ body: { name: name.trim(), expire } });
    },
    {
      changes: [accountKeys.tokens],
      onDone: (token) => {
        onMade(token);
        setName('');
      },
    },
  );
  return (
    <Form className={classes.form} onSubmit={create.run}>
      <TextInput
        label="Name"
        placeholder="laptop script"
        value={name}
        error={create.problem}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label="Expires in"
        data={lifetimes}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <Button type="submit" disabled={name.trim() === ''}>
        Create token
      </Button>
    </Form>
  );
}

interface TokenNameProps {
  readonly name: string;
  readonly onRename: (name: string) => Promise<unknown>;
}

/** The name; a click on the pencil turns it into a field. Enter saves, Escape cancels. */
function TokenName({ name, onRename }: TokenNameProps) {
  const [text, setText] = useState<string | null>(null);
  const shown = name || 'Unnamed';
  if (text === null) {
    return (
      <strong>
        {shown}
        <ActionIcon size={24} ml={4} aria-label={`Rename ${shown}`} onClick={() => setText(name)}>
          <IconPencil size={14} />
        </ActionIcon>
      </strong>
    );
  }
  const keep = () => {
    setText(null);
    if (text.trim() !== '' && text.trim() !== name) void onRename(text.trim());
  };
  return (
    <TextInput
      autoFocus
      aria-label={`New name of ${shown}`}
      maxLength={255}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') setText(null);
      }}
    />
  );
}
