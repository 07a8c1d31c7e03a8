/** One finding on a card in its tone: an icon, the sentence, and related content. */
import type { ComponentType, ReactNode } from 'react';
import { Card } from './card.tsx';
import classes from './tone-card.module.css';

export interface ToneCardProps {
  readonly label: string;
  /** Good, warn, bad or unknown; with any other tone it is a plain card. */
  readonly tone: string;
  readonly icon: ComponentType<{ readonly size: number; readonly 'aria-hidden': 'true' }>;
  readonly children: ReactNode;
  readonly className?: string;
}

export function ToneCard({ label, tone, icon: Icon, children, className = '' }: ToneCardProps) {
  return (
    <Card className={`${classes.card} ${className}`} data-tone={tone} aria-label={label}>
      <Icon size={18} aria-hidden="true" />
      {children}
    </Card>
  );
}
