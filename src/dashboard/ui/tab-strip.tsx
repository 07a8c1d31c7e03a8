/** A page's row of tabs: if wider than the page it scrolls sideways, fades at its ends and keeps the open tab in view. */
import { Tabs, type TabsListProps } from '@mantine/core';
import { Children, useEffect, useRef } from 'react';
import classes from './tab-strip.module.css';

export interface TabStripProps extends TabsListProps {
  /** Value of the open tab. */
  readonly open: string;
}

export function TabStrip({ open, children, className = '', ...rest }: TabStripProps) {
  const list = useRef<HTMLDivElement>(null);
  const numTabs = Children.toArray(children).length;
  // looked up again when the active tab or the number of tabs changes
  useEffect(() => {
    const strip = list.current;
    if (strip === null) return;
    const markEnds = () => {
      const left = strip.scrollLeft;
      const isMoreBefore = left > 1;
      const isMoreAfter = left < strip.scrollWidth - strip.clientWidth - 1;
      strip.dataset.more = `${isMoreBefore ? 'before' : ''} ${isMoreAfter ? 'after' : ''}`.trim();
    };
    const show = () => {
      const tab = strip.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
      if (tab !== null)
        strip.scrollLeft = tab.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
      markEnds();
    };
    // Called after layout, also when fonts or counts widen a tab: this forces no layout of its own.
    const observer = new ResizeObserver(show);
    for (const part of [strip, ...strip.children]) observer.observe(part);
    strip.addEventListener('scroll', markEnds, { passive: true });
    return () => {
      observer.disconnect();
      strip.removeEventListener('scroll', markEnds);
    };
  }, [open, numTabs]);
  return (
    <Tabs.List ref={list} className={`${classes.strip} ${className}`} {...rest}>
      {children}
    </Tabs.List>
  );
}
