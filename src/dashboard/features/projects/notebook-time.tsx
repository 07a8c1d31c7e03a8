/** When an item of the notebook was added, to the minute: a history is read by its dates. */
import { formatDateTime, formatDay } from '../../ui/dates.ts';

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** `changed`: when its text was last changed, if it was. */
export function NotebookTime({ at, changed }: { readonly at: string; readonly changed?: string }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  const title = [
    formatDateTime(date),
    ...(changed === undefined ? [] : [`changed ${formatDateTime(new Date(changed))}`]),
  ];
  return (
    <time dateTime={at} title={title.join(', ')}>
      {formatDay(date)}, {date.toLocaleTimeString(undefined, clock)}
      {changed !== undefined && ' (changed)'}
    </time>
  );
}
