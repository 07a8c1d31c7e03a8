/** One experiment: head, verdict, chains, and the tabs below. The same for its owner and for the viewer of a share. */
import { Tabs } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Access } from '../live/draws-loader.ts';
import { type ChainFocus, ChainStrip } from './chain-strip.tsx';
import classes from './experiment.module.css';
import { ExperimentHead } from './experiment-head.tsx';
import type { ExperimentSearch, ExperimentTab } from './experiment-search.ts';
import { FilesTab } from './files-tab.tsx';
import { LogsTab } from './logs-tab.tsx';
import { SummaryTab } from './summary-tab.tsx';
import { TracesTab } from './traces-tab.tsx';
import { useLiveExperiment } from './use-live-experiment.ts';
import { VerdictLine } from './verdict-line.tsx';

export interface ExperimentPageProps {
  readonly client: Client;
  /** As the route's loader got it. */
  readonly experiment: Experiment;
  readonly access: Access;
  readonly search: ExperimentSearch;
  readonly onSearchChange: (change: Partial<ExperimentSearch>) => void;
  /** What its owner can do; absent for snapshots, which only show. */
  readonly actions?: ExperimentActions;
}

export interface ExperimentActions {
  readonly onShare: () => void;
  /** Runs the same program and data again with changed settings. */
  readonly onRunAgain: (change: Record<string, unknown>) => void;
  readonly onControl: (action: 'stop' | 'pause' | 'resume') => Promise<void>;
  readonly onRename: (name: string) => Promise<void>;
  readonly onDelete: () => void;
  readonly canControl: boolean;
  readonly canDelete: boolean;
  /** The server gives parts of a log, and the platform's own. */
  readonly hasLogRange: boolean;
}

const noFocus: ChainFocus = { pointed: null, hidden: new Set() };

export function ExperimentPage({
  client,
  experiment,
  access,
  search,
  onSearchChange,
  actions,
}: ExperimentPageProps) {
  const live = useLiveExperiment(client, experiment, access);
  const [focus, setFocus] = useState(noFocus);
  const isShare = access.shareId !== undefined;
  const numVariables = live.summary?.variables.length;
  const tab = isShare && search.tab === 'logs' ? 'summary' : search.tab;
  return (
    <div className={classes.page}>
      <ExperimentHead live={live} isShare={isShare} actions={actions} />
      <VerdictLine
        experiment={live.experiment}
        summary={live.summary}
        summaryError={live.summaryError}
        onRunAgain={actions?.onRunAgain}
        onOpen={({ tab: target, variable }) =>
          onSearchChange({
            tab: target,
            q: '',
            sort: 'worst',
            order: 'worst',
            selected: variable ?? '',
          })
        }
      />
      <ChainStrip
        experiment={live.experiment}
        chainNames={live.chainNames}
        isLive={live.isLive}
        focus={focus}
        onFocusChange={setFocus}
      />
      <Tabs
        value={tab}
        onChange={(value) => onSearchChange({ tab: value as ExperimentTab })}
        keepMounted={false}
      >
        <Tabs.List mb={12}>
          <Tabs.Tab value="traces">Traces</Tabs.Tab>
          <Tabs.Tab value="summary" rightSection={numVariables}>
            Summary
          </Tabs.Tab>
          {!isShare && <Tabs.Tab value="logs">Logs</Tabs.Tab>}
          <Tabs.Tab value="files">Files</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="traces">
          <TracesTab
            live={live}
            focus={focus}
            search={search.q}
            order={search.order}
            onSearchChange={onSearchChange}
          />
        </Tabs.Panel>
        <Tabs.Panel value="summary">
          <SummaryTab
            live={live}
            search={search.q}
            sort={search.sort}
            selected={search.selected}
            onChange={onSearchChange}
          />
        </Tabs.Panel>
        {!isShare && (
          <Tabs.Panel value="logs">
            <LogsTab client={client} live={live} hasRange={actions?.hasLogRange ?? false} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="files">
          <FilesTab client={client} live={live} access={access} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
