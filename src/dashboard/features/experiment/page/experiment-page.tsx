/** One experiment: head, verdict, chains, and the tabs below. The same for its owner and for the viewer of a share. */
import { Tabs } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import type { Access } from '../../../objects/object-queries.ts';
import { fewDraws } from '../../../plots/use-figure.ts';
import { warmPlots } from '../../../plots/warm-plots.ts';
import { ErrorBoundary } from '../../../ui/error-boundary.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { PageSkeleton } from '../../../ui/page-skeleton.tsx';
import { TabStrip } from '../../../ui/tab-strip.tsx';
import { TextButton } from '../../../ui/text-button.tsx';
import { usageCaption } from '../../status/used-chains.ts';
import { TracesTab } from '../plots/traces-tab.tsx';
import { type ChainFocus, ChainStrip } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import { type ExperimentSearch, type ExperimentTab, ownersTabs } from '../run/experiment-search.ts';
import { type LiveExperiment, useLiveExperiment } from '../run/use-live-experiment.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import { ExperimentHead } from './experiment-head.tsx';
import { VerdictLine } from './verdict-line.tsx';

const ChainChoice = lazyPart(() => import('./chain-choice.tsx'), 'ChainChoice');
const SummaryTab = lazyPart(() => import('../summary/summary-tab.tsx'), 'SummaryTab');
const PosteriorTab = lazyPart(() => import('../plots/posterior-tab.tsx'), 'PosteriorTab');
const DiagnosticsTab = lazyPart(() => import('../plots/diagnostics-tab.tsx'), 'DiagnosticsTab');
const PairsTab = lazyPart(() => import('../plots/pairs-tab.tsx'), 'PairsTab');
const LogsTab = lazyPart(() => import('../logs/logs-tab.tsx'), 'LogsTab');
const RunInfoTab = lazyPart(() => import('./run-info-tab.tsx'), 'RunInfoTab');
const FilesTab = lazyPart(() => import('../files/files-tab.tsx'), 'FilesTab');

export interface ExperimentPageProps {
  /** As the route's loader got it. */
  readonly experiment: Experiment;
  readonly access: Access;
  readonly search: ExperimentSearch;
  readonly onSearchChange: (change: Partial<ExperimentSearch>) => void;
  /** What its owner can do; absent for snapshots, which only show. */
  readonly actions?: ExperimentActions;
  /** The live shares of it, where its owner looks. */
  readonly sharePanel?: ReactNode;
}

const noFocus: ChainFocus = { pointed: null, hidden: new Set() };

const titles: Readonly<Record<ExperimentTab, string>> = {
  traces: 'Traces',
  summary: 'Summary',
  posterior: 'Posterior',
  diagnostics: 'Diagnostics',
  pairs: 'Pairs',
  logs: 'Logs',
  run: 'Run info',
  files: 'Files',
  share: 'Share',
};

export function ExperimentPage(props: ExperimentPageProps) {
  const { experiment, access, search, onSearchChange, actions, sharePanel } = props;
  const live = useLiveExperiment(experiment, access);
  const [focus, setFocus] = useState(noFocus);
  const isShare = access.shareId !== undefined;
  const isThere = (name: ExperimentTab) =>
    (!isShare || !ownersTabs.includes(name)) && (name !== 'share' || sharePanel !== undefined);
  const tabs = (Object.keys(titles) as ExperimentTab[]).filter(isThere);
  const tab = isThere(search.tab) ? search.tab : 'summary';
  usePlotsSoon(tab, live.experiment);
  const isPainted = useAfterPaint(live.summary !== null);
  return (
    <div className={classes.page}>
      <ExperimentHead live={live} isShare={isShare} actions={actions} />
      <VerdictLine
        experiment={live.experiment}
        summary={live.summary}
        summaryError={live.summaryError}
        onRunAgain={actions?.onRunAgain}
        onOpen={({ tab: target, variable, at }) =>
          onSearchChange({
            tab: target,
            q: '',
            sort: 'worst',
            order: 'worst',
            vars: [],
            selected: variable ?? '',
            at: at ?? '',
          })
        }
      />
      <ChainStrip
        experiment={live.experiment}
        chainNames={live.chainNames}
        leftOut={live.limit.leftOut}
        isLive={live.isLive}
        focus={focus}
        onFocusChange={setFocus}
      />
      {actions?.canLeaveOut === true && hasChainsToChoose(live) && (
        <Suspense>
          <ChainChoice live={live} onLeaveOut={actions.onLeaveOut} />
        </Suspense>
      )}
      <Tabs
        value={tab}
        onChange={(value) => onSearchChange({ tab: value as ExperimentTab, at: '' })}
        keepMounted={false}
      >
        <TabTitles open={tab} names={tabs} numVariables={live.summary?.variables.length} />
        <Tabs.Panel value={tab}>
          <ErrorBoundary
            key={tab}
            fallback={(_, retry) => (
              <p role="alert" className={classes.empty}>
                This part of the page could not be shown. The draws are not affected.{' '}
                <TextButton onClick={retry}>Try again</TextButton>
              </p>
            )}
          >
            <Suspense fallback={<PageSkeleton />}>
              <UsageCaption tab={tab} live={live} />
              <OpenTab
                {...props}
                tab={tab}
                live={isPainted ? live : { ...live, summary: null }}
                focus={focus}
              />
            </Suspense>
          </ErrorBoundary>
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

/** Whether its chains may be an issue: of different lengths, empty, left out, or one apart from the others. */
function hasChainsToChoose({ isLive, usage, summary }: LiveExperiment): boolean {
  if (isLive || usage === null) return false;
  const isUneven = usage.beyond > 0 || usage.empty.length > 0 || usage.leftOut.length > 0;
  return isUneven || summary?.chains.some((chain) => chain.is_apart === true) === true;
}

const tabsOfDraws: readonly ExperimentTab[] = [
  'traces',
  'summary',
  'posterior',
  'diagnostics',
  'pairs',
];

/** Above the table and the plots, which are made of them: the draws that are used, where not all are. */
function UsageCaption({ tab, live }: { tab: ExperimentTab; live: LiveExperiment }) {
  const caption = live.isLive ? null : usageCaption(live.usage);
  if (caption === null || !tabsOfDraws.includes(tab)) return null;
  const isCut = tab === 'traces' && (live.usage?.beyond ?? 0) > 0;
  return (
    <p className={classes.usage}>
      {caption}.{isCut && ' Traces show every draw.'}
    </p>
  );
}

interface TabTitlesProps {
  readonly open: ExperimentTab;
  readonly names: readonly ExperimentTab[];
  readonly numVariables: number | undefined;
}

function TabTitles({ open, names, numVariables }: TabTitlesProps) {
  return (
    <TabStrip open={open} mb={12}>
      {names.map((name) => (
        <Tabs.Tab
          key={name}
          value={name}
          rightSection={
            name === 'summary' && numVariables !== undefined ? (
              <span className={classes.tabCount}>{numVariables}</span>
            ) : undefined
          }
        >
          {titles[name]}
        </Tabs.Tab>
      ))}
    </TabStrip>
  );
}

/** False until what came is painted: the verdict is read while the plots under it, which take longer, are begun. */
function useAfterPaint(isHere: boolean): boolean {
  const [isPainted, setPainted] = useState(isHere);
  useEffect(() => {
    if (!isHere || isPainted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true), 0);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isHere, isPainted]);
  return isPainted;
}

const tabsOfFigures: readonly ExperimentTab[] = ['posterior', 'diagnostics', 'pairs'];

/** What draws the plots of a tab is on its way while its draws are. */
function usePlotsSoon(tab: ExperimentTab, { n_samples, n_chains }: Experiment): void {
  const hasFigures = tabsOfFigures.includes(tab);
  const hasMany = n_samples * n_chains > fewDraws;
  useEffect(() => {
    if (!hasFigures && tab !== 'traces') return;
    // Once the page itself is painted, which it must not hold up.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => warmPlots(hasFigures || hasMany), 0);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [tab, hasFigures, hasMany]);
}

interface OpenTabProps extends ExperimentPageProps {
  readonly tab: ExperimentTab;
  readonly live: ReturnType<typeof useLiveExperiment>;
  readonly focus: ChainFocus;
}

function OpenTab(props: OpenTabProps) {
  const { tab, live, focus, access, search, onSearchChange, actions } = props;
  switch (tab) {
    case 'traces':
      return (
        <TracesTab
          live={live}
          focus={focus}
          search={search.q}
          order={search.order}
          vars={search.vars}
          scales={search.scales}
          onSearchChange={onSearchChange}
        />
      );
    case 'summary':
      return <SummaryTab live={live} search={search} onChange={onSearchChange} />;
    case 'posterior':
      return (
        <PosteriorTab live={live} focus={focus} search={search} onSearchChange={onSearchChange} />
      );
    case 'diagnostics':
      return (
        <DiagnosticsTab
          live={live}
          focus={focus}
          selected={search.selected}
          at={search.at}
          onSelect={(selected) => onSearchChange({ selected, at: '' })}
        />
      );
    case 'pairs':
      return (
        <PairsTab
          live={live}
          focus={focus}
          pairs={search.pairs}
          onPairs={(pairs) => onSearchChange({ pairs })}
          scales={search.scales}
          onScales={(scales) => onSearchChange({ scales })}
        />
      );
    case 'logs':
      return (
        <LogsTab
          live={live}
          hasRange={actions?.hasLogRange ?? false}
          stream={search.stream}
          line={search.line}
          onChange={onSearchChange}
        />
      );
    case 'run':
      return <RunInfoTab live={live} />;
    case 'files':
      return <FilesTab live={live} access={access} hasVersions={actions?.hasVersions ?? false} />;
    case 'share':
      return props.sharePanel;
  }
}
