/** Account, theme, and signing out. */
import { Menu, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSparkles,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { configQueryOptions } from '../../objects/server.ts';
import type { Services } from '../../services.ts';
import { leaveFor } from '../../session/provider-sign-in.ts';

export interface AccountDropdownProps {
  readonly services: Services;
  readonly username: string;
  /** The button it is attached to. */
  readonly children: ReactNode;
}

const themes = [
  { scheme: 'light', label: 'Light theme', mark: <IconSun size={16} /> },
  { scheme: 'dark', label: 'Dark theme', mark: <IconMoon size={16} /> },
  { scheme: 'auto', label: 'System theme', mark: <IconDeviceDesktop size={16} /> },
] as const;

/** Returns the address that ends the session at the identity provider; null: there is none. */
async function endSession({ client, queryClient }: Services): Promise<string | null> {
  try {
    const config = await queryClient.ensureQueryData(configQueryOptions(client));
    if ((config?.sign_in?.provider ?? null) !== null) return (await client.signOutEverywhere()).url;
    await client.logout();
  } catch {
    // forgotten here anyway
  }
  return null;
}

export function AccountDropdown({ services, username, children }: AccountDropdownProps) {
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = async () => {
    // The token is revoked on the server too; if that fails, it is still forgotten here.
    const elsewhere = await endSession(services);
    services.session.signOut();
    if (elsewhere === null) await navigate({ to: '/sign-in' });
    else leaveFor(elsewhere);
  };
  return (
    <Menu width={220} defaultOpened withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUser size={16} />}
          rightSection={
            <Text c="dimmed" fz="xs">
              {username}
            </Text>
          }
          onClick={() => void navigate({ to: '/account' })}
        >
          Account
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSparkles size={16} />}
          onClick={() => void navigate({ to: '/help/$page', params: { page: 'news' } })}
        >
          What is new
        </Menu.Item>
        <Menu.Divider />
        {themes.map(({ scheme, label, mark }) => (
          <Menu.Item
            key={scheme}
            leftSection={mark}
            rightSection={colorScheme === scheme ? <IconCheck size={16} /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
            {colorScheme === scheme && <span className="visually-hidden">, in use</span>}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
