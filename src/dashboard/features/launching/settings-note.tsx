/** Where the form's settings come from, if that is not obvious. */
import { Note } from '../../ui/note.tsx';
import type { Launch } from './use-launch.ts';

export function SettingsNote({ launch }: { launch: Pick<Launch, 'isReading' | 'isUnread'> }) {
  return (
    <div role="status">
      {launch.isReading && <Note>Reading the last settings…</Note>}
      {launch.isUnread && <Note>The last settings could not be read. These are the defaults.</Note>}
    </div>
  );
}
