/** The lazily loaded half of toasts. */
import '@mantine/notifications/styles.layer.css';
import { Button, Group } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { ApiError } from '../../client/api-error.ts';
import type { Toast } from './toast.ts';

export function NotificationsContainer() {
  return <Notifications position="bottom-right" limit={8} autoClose={8000} containerWidth={380} />;
}

export function show({ message, tone = 'plain', undo }: Toast): void {
  const id = notifications.show({
    withBorder: true,
    role: 'status',
    color: tone === 'bad' ? 'red' : 'gray',
    withCloseButton: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message:
      undo === undefined ? (
        message
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <span>{message}</span>
          <Button
            variant="default"
            c="var(--e-accent-text)"
            size="xs"
            onClick={() => {
              notifications.hide(id);
              undo().catch((error: unknown) => {
                show({ message: `Not undone: ${ApiError.from(error).message}`, tone: 'bad' });
              });
            }}
          >
            Undo
          </Button>
        </Group>
      ),
  });
}
