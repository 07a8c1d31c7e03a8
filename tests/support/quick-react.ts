/**
 * Avoids work by React's development build and happy-dom that a test discards: a stack for
 * every element (a tenth of the time of a page test), and the text of an entire tree of fibers.
 */
import React from 'react';

const internals = (React as unknown as Record<string, object>)
  .__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;
// React stops storing element stacks when there are many; a warning still names the components concerned.
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => {},
});

// happy-dom gives elements no size, so the trap finds nothing to focus and would print the element with its contents.
const { warn } = console;
console.warn = (...parts: unknown[]) => {
  if (!String(parts[0]).includes('use-focus-trap')) warn(...parts);
};
