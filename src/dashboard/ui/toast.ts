/** The content of a short message at the edge of the page. */
import type { ReactNode } from 'react';

export interface Toast {
  readonly message: ReactNode;
  readonly tone?: 'plain' | 'bad';
  /** Offered by *Undo* and by Ctrl+Z. */
  readonly undo?: () => Promise<unknown>;
  /** Offered by *Retry*. */
  readonly retry?: () => void;
}
