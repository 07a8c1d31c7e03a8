/** Account, theme, and the way out. */
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
import type { Services } from '../../services.ts';

export interface AccountDropdownProps {
  readonly services: Services;
  readonly username: string;
  /** The button it hangs from. */
  readonly children: ReactNode;
}

const icon = { size: 16 } as const;

const themes = [
  { scheme: 'light', label: 'Light theme', mark: <IconSun {...icon} /> },
  { scheme: 'dark', label: 'Dark theme', mark: <IconMoon {...icon} /> },
  { scheme: 'auto', label: 'System theme', mark: <IconDeviceDesktop {...icon} /> },
] as const;

export function AccountDropdown({ services, username, children }: AccountDropdownProps) {
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = async () => {
    // The token is revoked on the server too; if that fails, it is still forgotten here.
    await services.client.logout().catch(() => undefined);
    services.session.signOut();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu
      position="bottom-end"
      width={220}
      defaultOpened
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUser {...icon} />}
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
          leftSection={<IconSparkles {...icon} />}
          onClick={() => void navigate({ to: '/help/$page', params: { page: 'news' } })}
        >
          What is new
        </Menu.Item>
        <Menu.Divider />
        {themes.map(({ scheme, label, mark }) => (
          <Menu.Item
            key={scheme}
            leftSection={mark}
            rightSection={colorScheme === scheme ? <IconCheck {...icon} /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
            {colorScheme === scheme && <span className="visually-hidden">, in use</span>}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
