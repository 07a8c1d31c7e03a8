/** The statuses a list can be filtered by. `look` is ours: the run has ended, and its verdict is not good. */
export const statuses = [
  { value: '', label: 'All' },
  { value: 'RUN', label: 'Running' },
  { value: 'FIN', label: 'Finished' },
  { value: 'look', label: 'Needs a look' },
  { value: 'ERR', label: 'Error' },
  { value: 'NEW', label: 'New' },
];
