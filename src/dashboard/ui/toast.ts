/** What a short message at the edge of the page says. */
import type { ReactNode } from 'react';

export interface Toast {
  readonly message: ReactNode;
  readonly tone?: 'plain' | 'bad';
  readonly undo?: () => Promise<unknown>;
}
