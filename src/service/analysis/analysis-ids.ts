/** Ids of the built-in functions in this folder: stable, so that scripts and bookmarks may name them. */

export const plotFunctionId = 'Mplot001';
/** `default_analyzer` of `/sys/config`. */
export const defaultAnalyzerId = 'Mreport1';
