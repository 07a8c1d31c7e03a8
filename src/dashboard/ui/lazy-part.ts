/** A component whose chunk is loaded when it is first shown, over an unreliable connection. */
import { type LazyExoticComponent, lazy } from 'react';
import { importWithRetry } from './import-with-retry.ts';

/** What React accepts as a lazy component. */
type Component = Parameters<typeof lazy>[0] extends () => Promise<{ default: infer C }> ? C : never;

/** `load` imports the module, `name` is the component's export in it. */
export function lazyPart<Name extends string, Module extends Readonly<Record<Name, Component>>>(
  load: () => Promise<Module>,
  name: Name,
): LazyExoticComponent<Module[Name]> {
  return lazy(async () => ({ default: (await importWithRetry(load))[name] }));
}
