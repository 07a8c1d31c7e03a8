/** The pages of help, as their addresses name them. */
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
