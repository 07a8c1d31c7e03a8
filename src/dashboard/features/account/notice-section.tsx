/** Whether the browser notifies the user when a watched run ends. */
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { noticeState, turnOffNotices, turnOnNotices } from '../../ui/browser-notices.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/note.tsx';

const texts = {
  on: 'Shown while you are in another tab or window, for runs you have opened in this browser.',
  off: 'Shown while you are in another tab or window, for runs you have opened in this browser. Your browser will ask for permission first.',
  forbidden: 'Notifications are blocked. Allow them in the browser’s settings for this site.',
  missing: 'This browser does not support notifications.',
};

export function NoticeSection() {
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
