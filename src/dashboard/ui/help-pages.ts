/** The pages of help, as their addresses name them. */
export const helpPages = [
  'diagnostics',
  'plots',
  'statuses',
  'elsewhere',
  'language',
  'api',
  'news',
] as const;
export type HelpPage = (typeof helpPages)[number];
