/** The progress of an import's files, in the place of the verdict. */
import { Progress } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { formatBytesOf } from '../../../../shared/byte-counts.ts';
import { ToneCard } from '../../../ui/tone-card.tsx';
import page from '../run/experiment.module.css';
import classes from './verdict-line.module.css';

export function ImportLine({ experiment }: { readonly experiment: Experiment }) {
  const { step, done, total } = experiment.meta?.progress ?? { done: 0, total: 0 };
  const what = step === 'storing' ? 'Storing the draws' : 'Reading the files';
  return (
    <ToneCard className={classes.verdict} tone="unknown" icon={IconHourglass} label="Verdict">
      <div className={classes.verdictText}>
        <p>
          <strong role="status">{what}.</strong>{' '}
          <span className={page.dim}>{formatBytesOf(done, total)}</span>
        </p>
        <Progress value={total === 0 ? 0 : (100 * done) / total} size="sm" aria-label={what} />
      </div>
    </ToneCard>
  );
}
