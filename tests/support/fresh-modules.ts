/**
 * Files of tests that share a process share the packages it has loaded, and nothing of ours: each begins with modules of
 * its own, so that no state is passed on and what a helper registers for the end of a file is registered for each.
 */
import { vi } from 'vitest';

vi.resetModules();
