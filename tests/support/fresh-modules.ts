/**
 * Test files that share a process share its loaded packages but none of our modules. Each begins with fresh ones, so
 * no state is passed on, and what a helper registers for the end of a file is registered for each file.
 */
import { vi } from 'vitest';

vi.resetModules();
