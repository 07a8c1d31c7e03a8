/** Who is signed in; the menu with *Sign out* is loaded when it is opened. */
import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { userQueryOptions } from '../../objects/server.ts';
import type { Services } from '../../services.ts';
import { barePart } from '../../ui/lazy-part.ts';
import { initialsOf } from '../../ui/person-mark.tsx';
import { useFirstQuiet } from '../../ui/use-first-quiet.ts';
import classes from './account.module.css';

const AccountDropdown = barePart(() => import('./account-dropdown.tsx'), 'AccountDropdown');

export function AccountMenu({ services }: { services: Services }) {
  const enabled = useFirstQuiet();
  const user = useQuery({ ...userQueryOptions(services.client), enabled }).data;
  const [wanted, setWanted] = useState(false);
  const name = user?.username ?? '';
  const button = (
    <UnstyledButton
      className={classes.avatar}
      aria-label={name === '' ? 'Your account' : `Account of ${name}`}
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      {initialsOf(name) || '–'}
    </UnstyledButton>
  );
  if (!wanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountDropdown services={services} username={name}>
        {button}
      </AccountDropdown>
    </Suspense>
  );
}
