/** The search box of the top bar: opens the palette, also with Ctrl+K; the palette itself is loaded lazily. */
import { Kbd, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Services } from '../../services.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { controlKey, isMac } from '../../ui/shortcuts.ts';
import classes from './palette.module.css';

const Palette = lazyPart(() => import('./palette.tsx'), 'Palette');

export function PaletteButton({ services }: { services: Services }) {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(isMac ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      setOpened(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <UnstyledButton
        className={classes.box}
        onClick={() => setOpened(true)}
        aria-label="Search or jump to"
      >
        <IconSearch size={16} />
        <span>Search or jump to</span>
        <Kbd>{controlKey} K</Kbd>
      </UnstyledButton>
      {opened && <Palette services={services} onClose={() => setOpened(false)} />}
    </>
  );
}
