/** Types of `text-files.mjs`, which stays plain JavaScript because `bootstrap.mjs` reads it before anything is installed. */
export const textLoader: Readonly<Record<string, 'text'>>;
