/** Whether the browser says so when a run ends that was watched. */
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { noticeState, turnOffNotices, turnOnNotices } from '../../ui/browser-notices.ts';
import classes from './account-page.module.css';

const words = {
  on: 'Shown when you are elsewhere, for runs you have looked at in this browser.',
  off: 'Shown when you are elsewhere, for runs you have looked at in this browser. Your browser asks you first.',
  forbidden: 'This browser forbids them to this page; its settings for this site allow them.',
  missing: 'This browser has none.',
};

export function NoticeSection() {
  const [state, setState] = useState(noticeState);
  const change = async (isOn: boolean) => {
    if (!isOn) turnOffNotices();
    setState(isOn ? await turnOnNotices() : noticeState());
  };
  return (
    <section className={classes.card}>
      <h2>Notices</h2>
      <Switch
        label="Tell me when a run I watch ends"
        checked={state === 'on'}
        disabled={state === 'missing' || state === 'forbidden'}
        onChange={(event) => void change(event.currentTarget.checked)}
      />
      <p className={classes.note}>{words[state]}</p>
    </section>
  );
}
