/** Experiments side by side: differences in settings and program, and whether they matter in the draws. */
import { Button, Skeleton } from '@mantine/core';
import { IconArrowsExchange, IconLink } from '@tabler/icons-react';
import { useMemo } from 'react';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHead } from '../../ui/page-head.tsx';
import classes from './compare.module.css';
import { type CompareSearch, readIds, writeIds } from './compare-search.ts';
import { joinNames } from './compared-style.ts';
import { RunCards } from './run-cards.tsx';
import { useCompared } from './use-compared.ts';

const Comparison = lazyPart(
  () => import('./comparison.tsx'),
  'Comparison',
  <Skeleton height={480} />,
);
const AddExperiment = lazyPart(
  () => import('./add-experiment.tsx'),
  'AddExperiment',
  // as high as the field, which is larger on a phone
  <Skeleton w={{ base: '100%', sm: 250 }} h={{ base: 44, sm: 32 }} />,
);

export interface ComparePageProps {
  readonly search: CompareSearch;
  readonly onSearchChange: (change: Partial<CompareSearch>) => void;
}

export function ComparePage({ search, onSearchChange }: ComparePageProps) {
  const { ids, odd, beyond } = useMemo(() => readIds(search.ids), [search.ids]);
  const runs = useCompared(ids);
  const there = useMemo(() => runs.filter((run) => run.experiment !== null), [runs]);
  const base = there.find((run) => run.id === search.base) ?? there[0];
  const title = ids.length < 2 ? 'Compare experiments' : `Compare ${ids.length} experiments`;
  usePageTitle(ids.length < 2 ? 'Compare' : `Compare ${ids.length}`);
  const setIds = (next: readonly string[]) => onSearchChange({ ids: writeIds(next) });
  return (
    <div className={classes.page}>
      <PageHead
        narrow={false}
        title={title}
        actions={
          <>
            <AddExperiment ids={ids} onAdd={(id) => setIds([...ids, id])} />
            {ids.length === 2 && (
              <Button
                leftSection={<IconArrowsExchange size={16} />}
                onClick={() => onSearchChange({ ids: writeIds(ids.toReversed()), base: '' })}
              >
                Swap
              </Button>
            )}
            {ids.length > 1 && (
              <CopyButton
                size="sm"
                text={window.location.href}
                label="Copy link"
                leftSection={<IconLink size={16} />}
              />
            )}
          </>
        }
      />
      <Oddities odd={odd} beyond={beyond} />
      {ids.length > 0 && (
        <RunCards
          runs={runs}
          baseId={base?.id ?? ''}
          onRemove={(id) => setIds(ids.filter((other) => other !== id))}
          onBase={(id) => onSearchChange({ base: id })}
        />
      )}
      {ids.length === 0 && (
        <EmptyState title="Nothing to compare yet">
          Pick two to six experiments here, or tick them in the list of experiments: their settings,
          programs, intervals, densities and checks are shown side by side.
        </EmptyState>
      )}
      {ids.length === 1 && (
        <p className={classes.lonely}>
          A comparison needs at least two experiments. Add a second one above.
        </p>
      )}
      {ids.length > 1 && base !== undefined && there.length === 1 && (
        <p className={classes.lonely}>
          {runs.some((run) => run.problem !== null)
            ? `Only ${base.letter} can be shown. Add another experiment above to compare it with.`
            : 'Loading the others…'}
        </p>
      )}
      {base !== undefined && there.length > 1 && (
        <Comparison runs={there} base={base} search={search} onSearchChange={onSearchChange} />
      )}
    </div>
  );
}

function Oddities({ odd, beyond }: { odd: readonly string[]; beyond: number }) {
  return (
    <>
      {odd.length > 0 && (
        <p className={classes.notice} role="status">
          {joinNames(odd.slice(0, 3).map((text) => `“${text.slice(0, 40)}”`))}{' '}
          {odd.length === 1
            ? 'is not the id of an experiment and is'
            : 'are not ids of experiments and are'}{' '}
          left out.
        </p>
      )}
      {beyond > 0 && (
        <p className={classes.notice} role="status">
          Up to six experiments can be compared: {beyond} more in the address{' '}
          {beyond === 1 ? 'is' : 'are'} left out.
        </p>
      )}
    </>
  );
}
