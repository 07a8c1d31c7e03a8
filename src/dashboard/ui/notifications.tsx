/** The lazily loaded half of toasts. */
import '@mantine/notifications/styles.layer.css';
import { Button, Group } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { ApiError } from '../../client/api-error.ts';
import type { Toast } from './toast.ts';
import { dropUndo, pushUndo, type Undoable } from './undo-stack.ts';

export function NotificationsContainer() {
  return <Notifications position="bottom-right" limit={8} autoClose={8000} containerWidth={380} />;
}

export function show({ message, tone = 'plain', undo, retry }: Toast): void {
  const act: Undoable | null =
    undo === undefined
      ? null
      : {
          run: () => {
            notifications.hide(id);
            undo().catch((error: unknown) => {
              show({ message: `Not undone: ${ApiError.from(error).message}`, tone: 'bad' });
            });
          },
        };
  const button = { c: 'var(--e-accent-text)', size: 'xs' } as const;
  const id = notifications.show({
    withBorder: true,
    role: 'status',
    color: tone === 'bad' ? 'red' : 'gray',
    withCloseButton: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message:
      act === null && retry === undefined ? (
        message
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <span>{message}</span>
          {retry !== undefined && (
            <Button
              {...button}
              onClick={() => {
                notifications.hide(id);
                retry();
              }}
            >
              Retry
            </Button>
          )}
          {act !== null && (
            <Button
              {...button}
              onClick={() => {
                dropUndo(act);
                act.run();
              }}
            >
              Undo
            </Button>
          )}
        </Group>
      ),
  });
  if (act !== null) pushUndo(act);
}
