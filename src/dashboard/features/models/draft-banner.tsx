/** Offers the draft of an earlier visit, with the version it was started from. */
import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import type { EditSession, EditState } from './edit-session.ts';
import classes from './editor-tabs.module.css';

export function DraftBanner({ session, state }: { session: EditSession; state: EditState }) {
  const draft = state.offered[0];
  if (draft === undefined) return null;
  const from = draft.baseVersion === 0 ? '' : `, started from v${draft.baseVersion}`;
  const behind =
    state.version !== undefined && draft.baseVersion !== 0 && draft.baseVersion < state.version;
  const failed = (what: string) => () =>
    showToast({ message: `The draft could not be ${what}.`, tone: 'bad' });
  return (
    <div className={classes.banner} role="status">
      <IconPencil size={16} aria-hidden="true" />
      <span>
        This browser holds a draft of this model: {draft.words},{' '}
        <RelativeTime date={new Date(draft.keptAt).toISOString()} />
        {from}
        {behind && ` (the server has v${state.version}: saving will show both)`}.
      </span>
      <Button size="xs" onClick={() => void session.restoreDraft(draft).catch(failed('restored'))}>
        Restore
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        onClick={() => void session.dropDraft(draft).catch(failed('discarded'))}
      >
        Discard
      </Button>
    </div>
  );
}
