/** When a share can end, counted from now. */
export const endChoices = [
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In a week' },
  { value: '30', label: 'In 30 days' },
  { value: 'never', label: 'Never' },
];

/** ISO 8601, or null for `never`. */
export function endOf(days: string): string | null {
  return days === 'never' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}
