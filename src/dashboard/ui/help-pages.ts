/** The help pages, by the names in their addresses. */
export const helpPages = [
  'diagnostics',
  'plots',
  'statuses',
  'elsewhere',
  'accounts',
  'language',
  'api',
  'news',
] as const;
export type HelpPage = (typeof helpPages)[number];
