/** Search and filter line above a list; typed text reaches the address when the user pauses. */
import { Kbd, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './list-tools.module.css';

export interface ListToolsProps {
  readonly label: string;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly children?: ReactNode;
}

export function ListTools({ label, search, onSearch, children }: ListToolsProps) {
  const [text, setText] = useState(search);
  const [asked, setAsked] = useState(search);
  // The address changed by itself: back, forward, a cleared filter.
  if (asked !== search) {
    setAsked(search);
    setText(search);
  }
  useEffect(() => {
    if (text === search) return;
    const timer = setTimeout(() => onSearch(text), 250);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);
  return (
    <div className={classes.tools} data-scrolls>
      <TextInput
        className={classes.search}
        type="search"
        data-shortcut="/"
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd className={classes.key}>/</Kbd>}
        rightSectionPointerEvents="none"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {children}
    </div>
  );
}
