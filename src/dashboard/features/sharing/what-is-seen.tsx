/** What a recipient of a share will and will not see. */
import { IconCheck, IconX } from '@tabler/icons-react';
import classes from './sharing.module.css';

export type SharedKind = 'experiment' | 'model' | 'workflow' | 'project';

export interface WhatIsSeenProps {
  readonly kind: SharedKind;
  /** The program and data are part of the share. */
  readonly included: boolean;
  /** The notes of the experiment are part of it; undefined if it has none. */
  readonly withNote?: boolean;
}

export function WhatIsSeen({ kind, included, withNote }: WhatIsSeenProps) {
  const seen = {
    experiment: [
      'Draws, plots, summary, labels',
      'Settings and verdict',
      ...(included ? ['Program and data'] : []),
      ...(withNote === true ? ['Your notes'] : []),
    ],
    model: ['All files of this version'],
    workflow: ['Names and settings', 'Analysis report'],
    project: [
      'Its note and notebook',
      'Every run, with draws and verdict',
      'Every model, with its files',
      included ? 'Data, and the programs of runs' : 'Names of data',
      ...(withNote === true ? ['Your notes on runs'] : []),
    ],
  }[kind];
  const unseen = {
    experiment: [
      ...(included ? [] : ['Program and data']),
      ...(withNote === false ? ['Your notes'] : []),
      'Server log',
      'Later changes or new runs',
      'Anything else you own',
    ],
    model: ['Later versions', 'Its experiments', 'Anything else you own'],
    workflow: ['Scripts, model and data', 'Later changes', 'Anything else you own'],
    project: [
      ...(included ? [] : ['Data, and the programs of runs']),
      ...(withNote === false ? ['Your notes on runs'] : []),
      'Server logs',
      'Later changes and members',
      'Anything else you own',
    ],
  }[kind];
  return (
    <div className={classes.seen}>
      <section>
        <h3>They will see</h3>
        <ul>
          {seen.map((line) => (
            <li key={line}>
              <IconCheck size={14} className={classes.yes} aria-hidden="true" /> {line}
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>They will not see</h3>
        <ul>
          {unseen.map((line) => (
            <li key={line}>
              <IconX size={14} aria-hidden="true" /> {line}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
