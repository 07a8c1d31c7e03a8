/** The user: password, API tokens, what this server offers. */
import { Button, PasswordInput, Select, TextInput } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { minPasswordLength, type Token } from '../../../contract/account.ts';
import { capabilities } from '../../../contract/system.ts';
import { configQueryOptions, systemKeys, userQueryOptions } from '../../services.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './account-page.module.css';

const tokenKeys = ['account', 'tokens'] as const;

function tokensQueryOptions(client: Client) {
  return queryOptions({
    queryKey: tokenKeys,
    queryFn: ({ signal }) => client.listTokens({ signal }),
  });
}

export function AccountPage({ client }: { client: Client }) {
  // A documented server knows its users by their tokens only, and tells nothing of itself.
  const hasAccounts = useQuery(configQueryOptions(client)).data !== null;
  const user = useQuery(userQueryOptions(client)).data;
  return (
    <div className={classes.page}>
      <PageHead
        title="Account"
        facts={user === undefined ? [] : [<code key="name">{user.username}</code>, ...user.roles]}
      />
      {hasAccounts && (
        <>
          <PasswordSection client={client} hasPassword={user?.has_password ?? true} />
          <TokenSection client={client} />
        </>
      )}
      <ServerSection client={client} />
    </div>
  );
}

function PasswordSection({ client, hasPassword }: { client: Client; hasPassword: boolean }) {
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const tooShort = next !== '' && next.length < minPasswordLength;
  const submit = async () => {
    try {
      await client.updateUser({ body: { password: current, new_password: next } });
      setCurrent('');
      setNext('');
      setProblem(null);
      await queryClient.invalidateQueries({ queryKey: systemKeys.user });
      showToast({ message: 'Password changed. Other sign-ins have ended.' });
    } catch (error) {
      setProblem(ApiError.from(error).message);
    }
  };
  return (
    <section className={classes.card}>
      <h2>{hasPassword ? 'Change password' : 'Set a password'}</h2>
      {!hasPassword && (
        <p className={classes.dim}>
          So far you sign in by the link that the server prints. A password lets you in from
          anywhere.
        </p>
      )}
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {hasPassword && (
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current}
            error={problem}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          description={`At least ${minPasswordLength} characters.`}
          value={next}
          error={
            tooShort
              ? `At least ${minPasswordLength} characters; this has ${next.length}.`
              : hasPassword
                ? undefined
                : problem
          }
          onChange={(event) => setNext(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          disabled={next.length < minPasswordLength || (hasPassword && current === '')}
        >
          {hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </form>
    </section>
  );
}

const lifetimes = [
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'A year' },
];

function TokenSection({ client }: { client: Client }) {
  const queryClient = useQueryClient();
  const tokens = useQuery(tokensQueryOptions(client));
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const [made, setMade] = useState<Token | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokenKeys });
  const create = async () => {
    try {
      const expire = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
      setMade(await client.createToken({ body: { name: name.trim(), expire } }));
      setName('');
      setProblem(null);
      await refresh();
    } catch (error) {
      setProblem(ApiError.from(error).message);
    }
  };
  const revoke = async (token: Token) => {
    try {
      const { deleted_key } = await client.deleteTokens({ query: { tokens: [String(token.id)] } });
      await refresh();
      showToast({
        message: `${token.token_name || 'Token'} revoked.`,
        undo: async () => {
          await client.deleteTokens({ query: { deleted_key: deleted_key ?? '' } });
          await refresh();
        },
      });
    } catch (error) {
      showToast({ message: `Not revoked: ${ApiError.from(error).message}`, tone: 'bad' });
    }
  };
  return (
    <section className={classes.card}>
      <h2>API tokens</h2>
      <p className={classes.dim}>
        For scripts: sent as <code>Authorization: Bearer …</code>. A token is shown once, when it is
        made.
      </p>
      {made !== null && (
        <p className={classes.made} role="status">
          Copy it now, it is not shown again: <CopyableId id={made.token} />
        </p>
      )}
      {(tokens.data?.length ?? 0) > 0 && (
        <ul className={classes.tokens}>
          {tokens.data?.map((token) => (
            <li key={token.id}>
              <strong>{token.token_name || 'Unnamed'}</strong>
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
                onClick={() => void revoke(token)}
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
          void create();
        }}
      >
        <TextInput
          label="Name"
          placeholder="laptop script"
          value={name}
          error={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Ends in"
          data={lifetimes}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '30')}
        />
        <Button type="submit" variant="default" disabled={name.trim() === ''}>
          Make token
        </Button>
      </form>
    </section>
  );
}

const meanings: Record<(typeof capabilities)[number], string> = {
  draws: 'live draws',
  summary: 'summaries',
  log_range: 'log search',
  run_control: 'stop and pause',
  versions: 'versions',
  search: 'search in lists',
  share_options: 'share ends',
  live: 'push',
};

function ServerSection({ client }: { client: Client }) {
  const config = useQuery(configQueryOptions(client)).data;
  const lacking = capabilities.filter((name) => !config?.capabilities.includes(name));
  return (
    <section className={classes.card}>
      <h2>Server</h2>
      <p className={classes.dim}>
        {lacking.length === 0
          ? 'This server offers everything the dashboard can show.'
          : `${config === null ? 'Passwords and tokens are managed by the server’s owner. ' : ''}This server does not offer: ${lacking.map((name) => meanings[name]).join(', ')}. What needs it is hidden.`}
      </p>
    </section>
  );
}
