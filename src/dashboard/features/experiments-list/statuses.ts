/** The states a list can be narrowed to. */
export const statuses = [
  { value: '', label: 'All' },
  { value: 'RUN', label: 'Running' },
  { value: 'FIN', label: 'Finished' },
  { value: 'ERR', label: 'Error' },
  { value: 'NEW', label: 'New' },
];
