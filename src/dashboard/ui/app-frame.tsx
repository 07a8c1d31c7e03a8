/** Rail, top bar and the place of the page. Knows no resource: the rail's items are given. */
import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMenu2,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useState } from 'react';
import classes from './app-frame.module.css';
import { Logo } from './logo.tsx';

export interface RailItem {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size: number }>;
  /** Shown after the label: how many run now. */
  readonly mark?: ReactNode;
  /** With a rule above it. */
  readonly startsGroup?: boolean;
}

export interface AppFrameProps {
  readonly items: readonly RailItem[];
  readonly breadcrumbs: ReactNode;
  /** Right of the top bar: search, account. */
  readonly tools: ReactNode;
  readonly banner?: ReactNode;
  /** Pages on which the rail begins collapsed. */
  readonly needsWidth?: (path: string) => boolean;
  readonly children: ReactNode;
}

/** Each kind of page remembers its own state. */
const collapsedKeys = { wide: 'ergodic.rail', code: 'ergodic.rail.code' } as const;

export function AppFrame({
  items,
  breadcrumbs,
  tools,
  banner,
  needsWidth,
  children,
}: AppFrameProps) {
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [collapsed, toggle] = useCollapsed(needsWidth?.(path) ? 'code' : 'wide');
  const [openedOn, setOpenedOn] = useState(path);
  // Another page: the drawer of phones has done its job.
  if (openedOn !== path) {
    setOpenedOn(path);
    setOpen(false);
  }
  return (
    <div className={classes.frame} data-collapsed={collapsed || undefined}>
      <a href="#page" className={classes.skip}>
        Skip to content
      </a>
      {open && (
        <button
          type="button"
          className={classes.scrim}
          aria-label="Close the menu"
          onClick={() => setOpen(false)}
        />
      )}
      <nav className={classes.rail} data-open={open || undefined} aria-label="Main">
        <Link to="/" className={classes.logo} aria-label="Ergodic, overview">
          <Logo size={22} />
          <span className={classes.word}>Ergodic</span>
        </Link>
        <ul>
          {items.map((item) => (
            <li key={item.to} data-group={item.startsGroup || undefined}>
              <RailLink item={item} path={path} />
            </li>
          ))}
        </ul>
        <button
          type="button"
          className={classes.collapse}
          onClick={toggle}
          aria-label={collapsed ? 'Expand the menu' : 'Collapse the menu'}
        >
          {collapsed ? (
            <IconLayoutSidebarLeftExpand size={18} />
          ) : (
            <IconLayoutSidebarLeftCollapse size={18} />
          )}
          <span className={classes.word}>Collapse</span>
        </button>
      </nav>
      <div className={classes.column}>
        <header className={classes.bar}>
          <ActionIcon
            className={classes.menu}
            size={44}
            aria-label="Open the menu"
            onClick={() => setOpen(true)}
          >
            <IconMenu2 size={20} />
          </ActionIcon>
          <div className={classes.crumbs}>{breadcrumbs}</div>
          <div className={classes.tools}>{tools}</div>
        </header>
        {banner}
        <main id="page" className={classes.page}>
          {children}
        </main>
      </div>
    </div>
  );
}

/** Whether the rail is collapsed on this kind of page, and a function to change that. */
function useCollapsed(sort: keyof typeof collapsedKeys): readonly [boolean, () => void] {
  const [choices, setChoices] = useState(() => ({
    wide: localStorage.getItem(collapsedKeys.wide),
    code: localStorage.getItem(collapsedKeys.code),
  }));
  // Code gets the room of the rail unless it was expanded there.
  const collapsed = sort === 'code' ? choices.code !== 'wide' : choices.wide === 'collapsed';
  const toggle = () => {
    const next = collapsed ? 'wide' : 'collapsed';
    localStorage.setItem(collapsedKeys[sort], next);
    setChoices({ ...choices, [sort]: next });
  };
  return [collapsed, toggle];
}

function RailLink({ item, path }: { item: RailItem; path: string }) {
  const current = item.to === '/' ? path === '/' : path.startsWith(item.to);
  return (
    <Link
      to={item.to}
      className={classes.item}
      aria-current={current ? 'page' : undefined}
      title={item.label}
    >
      <item.icon size={18} />
      <span className={classes.word}>{item.label}</span>
      {item.mark !== undefined && <span className={classes.mark}>{item.mark}</span>}
    </Link>
  );
}

export function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const next = scheme === 'light' ? 'dark' : 'light';
  return (
    <ActionIcon
      className={classes.theme}
      aria-label={`Switch to the ${next} theme`}
      onClick={() => setColorScheme(next)}
    >
      {scheme === 'light' ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}
