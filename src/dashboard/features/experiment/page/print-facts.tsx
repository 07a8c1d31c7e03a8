/** Shown only in print: the settings under the verdict, and a footer that says what was printed and when. */
import { useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { formatDateTime } from '../../../ui/dates.ts';
import { usePrinting } from '../../../ui/printing.ts';
import classes from '../run/experiment.module.css';
import { settingFacts } from '../run/setting-facts.ts';

export function PrintedSettings({ experiment }: { experiment: Experiment }) {
  const facts = settingFacts(experiment);
  if (!usePrinting() || facts.length === 0) return null;
  return (
    <section aria-label="Settings as run">
      <h2 className={classes.sectionTitle}>Settings</h2>
      <dl className={classes.printedFacts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function PrintedFoot({ experiment }: { experiment: Experiment }) {
  const isPrinting = usePrinting();
  return isPrinting ? <Foot experiment={experiment} /> : null;
}

function Foot({ experiment }: { experiment: Experiment }) {
  const [now] = useState(() => new Date());
  return (
    <footer className={classes.note}>
      {experiment.name || experiment.short_id} · {experiment.short_id} · printed{' '}
      {formatDateTime(now)}
    </footer>
  );
}
