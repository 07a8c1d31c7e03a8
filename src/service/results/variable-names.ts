/** Recognises which variable names of outside runners are the sampler's own. */

/**
 * True for running statistics (`mu/stat/Mean`) and what a sampler reports of itself (`extras/lp/val`): stored and shown
 * on request, but never judged or counted as variables.
 */
export function isRunnerInternal(name: string): boolean {
  return name.startsWith('extras/') || name.includes('/stat/');
}
