/** Components whose chunk is loaded when they are first shown, over an unreliable connection. */
import {
  type ComponentProps,
  createElement,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
} from 'react';
import { importWithRetry } from './import-with-retry.ts';

/** What React accepts as a lazy component. */
type Component = Parameters<typeof lazy>[0] extends () => Promise<{ default: infer C }> ? C : never;

/**
 * `load` imports the module, `name` is the component's export in it, `placeholder` is shown
 * until it is here.
 */
export function lazyPart<Name extends string, Module extends Readonly<Record<Name, Component>>>(
  load: () => Promise<Module>,
  name: Name,
  placeholder: ReactNode = null,
): (props: ComponentProps<Module[Name]>) => ReactNode {
  const Part: Component = barePart(load, name);
  return (props) => createElement(Suspense, { fallback: placeholder }, createElement(Part, props));
}

/** The same without a placeholder, for a parent whose own `Suspense` decides what is shown. */
export function barePart<Name extends string, Module extends Readonly<Record<Name, Component>>>(
  load: () => Promise<Module>,
  name: Name,
): LazyExoticComponent<Module[Name]> {
  return lazy(async () => ({ default: (await importWithRetry(load))[name] }));
}
