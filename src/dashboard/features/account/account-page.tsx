/** The user: password, API tokens, theme, what this server offers. */
import { SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { capabilities } from '../../../contract/system.ts';
import { hasCapability, userQueryOptions } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { useConfig } from '../../objects/use-config.ts';
import { noticeState, turnOffNotices, turnOnNotices } from '../../ui/browser-notices.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import classes from './account-page.module.css';
import { PasswordSection } from './password-section.tsx';
import { linkedQueryOptions, ProviderSection } from './provider-section.tsx';
import { SpaceSection, spaceQueryOptions } from './space-section.tsx';
import { TeamSection, teamsQueryOptions } from './team-section.tsx';
import { TokenSection } from './token-section.tsx';
import { tokensQueryOptions } from './use-tokens.ts';

export function AccountPage() {
  const client = useClient();
  // A documented server identifies its users only by their tokens, and does not describe itself.
  const config = useConfig();
  const hasAccounts = config !== null;
  const provider = config?.sign_in?.provider ?? null;
  const hasSpace = hasCapability(config, 'space');
  const user = useQuery(userQueryOptions(client));
  const tokens = useQuery({ ...tokensQueryOptions(client), enabled: hasAccounts });
  const space = useQuery({ ...spaceQueryOptions(client), enabled: hasSpace });
  const linked = useQuery({ ...linkedQueryOptions(client), enabled: provider !== null });
  const hasTeams = hasCapability(config, 'teams');
  const teams = useQuery({ ...teamsQueryOptions(client), enabled: hasTeams });
  // All together: a section that appeared later would push those below it away from the pointer.
  const isComing =
    config === undefined || [user, tokens, space, linked, teams].some(({ isLoading }) => isLoading);
  const isProvided = user.data?.is_provided ?? false;
  const isAdministrator = user.data?.super ?? false;
  const inTeams = teams.data?.teams ?? [];
  const shownTeams = hasTeams && (isAdministrator || inTeams.length > 0) ? inTeams : null;
  if (isComing) return <PageSkeleton />;
  return (
    <div className={classes.page}>
      <PageHead
        title="Account"
        facts={
          user.data === undefined
            ? []
            : [<code key="name">{user.data.username}</code>, ...user.data.roles]
        }
      />
      {hasAccounts && (
        <>
          {!isProvided && <PasswordSection hasPassword={user.data?.has_password ?? true} />}
          {provider !== null && (
            <ProviderSection
              provider={provider}
              linked={linked.data?.linked_accounts.map(({ account }) => account) ?? []}
              isProvided={isProvided}
            />
          )}
          <TokenSection />
        </>
      )}
      {shownTeams !== null && <TeamSection teams={shownTeams} isAdministrator={isAdministrator} />}
      {hasSpace && <SpaceSection />}
      {hasCapability(config, 'live') && <NoticeSection />}
      <ThemeSection />
      <ServerSection />
    </div>
  );
}

const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

function ThemeSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Card padded>
      <h2>Theme</h2>
      <SegmentedControl
        aria-label="Theme"
        data={schemes}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
      />
      <Note gap="above" small>
        Stored in this browser; also applies to plots and the editor.
      </Note>
    </Card>
  );
}

const meanings: Record<(typeof capabilities)[number], string> = {
  draws: 'live draws',
  summary: 'summaries',
  log_range: 'log search',
  run_control: 'stop and pause',
  versions: 'versions',
  search: 'search in lists',
  share_options: 'share expiry',
  live: 'notifications and push',
  space: 'storage use',
  saved_views: 'saved views in every browser',
  projects: 'projects',
  moment_matching: 'moment matching',
  log_density: 'log densities at a point',
  uploads: 'large imports',
  retry_chains: 'chains started again',
  queue: 'the queue of runs',
  single_sign_on: 'single sign-on',
  teams: 'teams',
};

function ServerSection() {
  const config = useConfig();
  const lacking = capabilities.filter((name) => !config?.capabilities.includes(name));
  return (
    <Card padded>
      <h2>Server</h2>
      <p className={classes.dim}>
        {lacking.length === 0
          ? 'This server offers everything the dashboard can show.'
          : `${config === null ? 'Passwords and tokens are managed by the server’s owner. ' : ''}This server does not offer: ${lacking.map((name) => meanings[name]).join(', ')}. Features that need these are hidden.`}
      </p>
    </Card>
  );
}

const texts = {
  on: 'Shown while you are in another tab or window, for runs you have opened in this browser.',
  off: 'Shown while you are in another tab or window, for runs you have opened in this browser. Your browser will ask for permission first.',
  forbidden: 'Notifications are blocked. Allow them in the browser’s settings for this site.',
  missing: 'This browser does not support notifications.',
};

/** Whether the browser notifies the user when a watched run ends. */
function NoticeSection() {
  const [state, setState] = useState(noticeState);
  const change = async (isOn: boolean) => {
    if (!isOn) turnOffNotices();
    setState(isOn ? await turnOnNotices() : noticeState());
  };
  return (
    <Card padded>
      <h2>Notifications</h2>
      <Switch
        label="Notify me when a run I watch ends"
        checked={state === 'on'}
        disabled={state === 'missing' || state === 'forbidden'}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      <Note gap="above" small>
        {texts[state]}
      </Note>
    </Card>
  );
}
