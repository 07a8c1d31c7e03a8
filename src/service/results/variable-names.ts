/** Names that outside runners give to variables: which are the sampler's own. */

/**
 * True for running statistics (`mu/stat/Mean`) and what a sampler reports of itself (`extras/lp/val`): kept and shown on
 * request, never judged and never counted as variables.
 */
export function isRunnerInternal(name: string): boolean {
  return name.startsWith('extras/') || name.includes('/stat/');
}
