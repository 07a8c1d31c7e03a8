/** Who is signed in, and the way out. */
import { Menu, UnstyledButton } from '@mantine/core';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Services } from '../../services.ts';
import { userQueryOptions } from '../../services.ts';
import classes from './account.module.css';

export function AccountMenu({ services }: { services: Services }) {
  const navigate = useNavigate();
  const user = useQuery(userQueryOptions(services.client)).data;
  const name = user?.username.replace(/\(@\d+\)$/, '') ?? '';
  const signOut = () => {
    // The token dies on the server too; if that cannot be told, it is forgotten here all the same.
    services.client.logout().catch(() => undefined);
    services.session.signOut();
    void navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes.avatar} aria-label={`Account of ${name || 'you'}`}>
          {name.slice(0, 2).toUpperCase() || '–'}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user?.username ?? 'Signed in'}</Menu.Label>
        <Menu.Item
          leftSection={<IconUser size={16} stroke={1.6} />}
          onClick={() => void navigate({ to: '/account' })}
        >
          Account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
