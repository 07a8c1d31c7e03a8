/** Whether a run still changes by itself. */

const liveStatuses: readonly string[] = ['NEW', 'RUN', 'SAMPLE_FIN'];

export function isLiveStatus(status: string): boolean {
  return liveStatuses.includes(status);
}
