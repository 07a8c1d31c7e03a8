/**
 * What the development build of React and happy-dom do for a person who looks at the page, and a test throws away: a stack
 * for every element (a tenth of the time of a test of a page), and the text of a whole tree of fibers.
 */
import React from 'react';

const internals = (React as unknown as Record<string, object>)
  .__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;
// React stops keeping the stacks of elements when there are many; a warning still names the components it is about.
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  set: () => {},
});

// happy-dom gives every element no size, so the trap finds nothing to focus and would print the element with all it holds.
const { warn } = console;
console.warn = (...parts: unknown[]) => {
  if (!String(parts[0]).includes('use-focus-trap')) warn(...parts);
};
