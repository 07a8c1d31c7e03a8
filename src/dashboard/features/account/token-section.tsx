/** API tokens: made, shown once, renamed, revoked. */
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Token } from '../../../contract/account.ts';
import { accountKeys } from '../../objects/query-keys.ts';
import { runAction, useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './account-page.module.css';

function tokensQueryOptions(client: Client) {
  return queryOptions({
    queryKey: accountKeys.tokens,
    queryFn: ({ signal }) => client.listTokens({ signal }),
  });
}

const lifetimes = [
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'A year' },
];

export function TokenSection() {
  const client = useClient();
  const queryClient = useQueryClient();
  const tokens = useQuery(tokensQueryOptions(client));
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const [made, setMade] = useState<Token | null>(null);
  const changes = [accountKeys.tokens];
  const create = useAction(
    (sender) => {
      const expire = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
      return sender.createToken({ body: { name: name.trim(), expire } });
    },
    {
      changes,
      onDone: (token) => {
        setMade(token);
        setName('');
      },
    },
  );
  const revoke = useAction(
    (sender, token: Token) => sender.deleteTokens({ query: { tokens: [String(token.id)] } }),
    {
      failed: 'Not revoked',
      changes,
      onDone: ({ deleted_key }, token) => {
        const undo = () => client.deleteTokens({ query: { deleted_key: deleted_key ?? '' } });
        showToast({
          message: `${token.token_name || 'Token'} revoked.`,
          undo: () => runAction(queryClient, undo, changes),
        });
      },
    },
  );
  const rename = useAction(
    (sender, { id, name: next }: { id: number; name: string }) =>
      sender.updateToken({ params: { token_id: String(id) }, body: { name: next } }),
    { failed: 'Not renamed', changes },
  );
  return (
    <section className={classes.card}>
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
      {(tokens.data?.length ?? 0) > 0 && (
        <ul className={classes.tokens}>
          {tokens.data?.map((token) => (
            <li key={token.id}>
              <TokenName
                name={token.token_name}
                onRename={(next) => rename.run({ id: token.id, name: next })}
              />
              <code>{token.token}</code>
              <span className={classes.dim}>
                until {new Date(token.token_expire).toLocaleDateString()}
              </span>
              <span className={classes.dim}>
                {token.last_used_at ? (
                  <>
                    used <RelativeTime date={token.last_used_at} />
                  </>
                ) : (
                  'never used'
                )}
              </span>
              <Button
                size="xs"
                variant="default"
                className={classes.revoke}
                onClick={() => void revoke.run(token)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
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
        <Button type="submit" variant="default" disabled={name.trim() === ''}>
          Create token
        </Button>
      </form>
    </section>
  );
}

interface TokenNameProps {
  readonly name: string;
  readonly onRename: (name: string) => Promise<unknown>;
}

/** The name; a click on the pencil makes it a field. Enter keeps, Escape leaves it as it was. */
function TokenName({ name, onRename }: TokenNameProps) {
  const [text, setText] = useState<string | null>(null);
  const shown = name || 'Unnamed';
  if (text === null) {
    return (
      <strong>
        {shown}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          ml={4}
          aria-label={`Rename ${shown}`}
          onClick={() => setText(name)}
        >
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
