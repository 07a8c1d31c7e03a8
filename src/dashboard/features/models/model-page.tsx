/** One model: head with its save state, then files, its experiments, and what is known of it. */

import { Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import type { Model } from '../../../contract/model.ts';
import type { Share } from '../../../contract/share.ts';
import type { ServerConfig } from '../../../contract/system.ts';
import { createDraftStore } from '../../editor/drafts.ts';
import { entranceOf } from '../../editor/file-tree.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { hasCapability } from '../../objects/server.ts';
import { runAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { TabStrip } from '../../ui/tab-strip.tsx';
import { useLaunch } from '../launching/use-launch.ts';
import { EditSession } from './edit-session.ts';
import { FilesTab } from './files-tab.tsx';
import type { ModelActions } from './model-actions.ts';
import { ModelHead } from './model-head.tsx';
import classes from './model-page.module.css';
import type { ModelTab } from './model-tabs.ts';
import type { VersionsSearch } from './versions-tab.tsx';

const ConflictView = lazyPart(() => import('./conflict-view.tsx'), 'ConflictView');
const InfoTab = lazyPart(() => import('./info-tab.tsx'), 'default');
const RunsTab = lazyPart(() => import('./runs-tab.tsx'), 'default');
const VersionsTab = lazyPart(() => import('./versions-tab.tsx'), 'default');

export interface ModelSearch extends VersionsSearch {
  readonly tab: ModelTab;
  /** Path of the open file; empty: the entrance. */
  readonly file: string;
}

export interface ModelPageProps {
  /** As the route's loader got it. */
  readonly model: Model;
  readonly config: ServerConfig | null;
  /** Whose drafts these are: the server's address. */
  readonly server: string;
  readonly search: ModelSearch;
  readonly onSearchChange: (change: Partial<ModelSearch>) => void;
  readonly actions: ModelActions;
  /** Live shares of the model; each froze its files. */
  readonly shares: readonly Share[];
  /** Who can see it. */
  readonly sharePanel: ReactNode;
}

const drafts = createDraftStore();

export function ModelPage({
  model,
  config,
  server,
  search,
  onSearchChange,
  actions,
  shares,
  sharePanel,
}: ModelPageProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const [session] = useState(() => {
    const onSaved = (saved: Model) => {
      queryClient.setQueryData(objectKeys('model').detail(saved.short_id), saved);
      void queryClient.invalidateQueries({ queryKey: objectKeys('model').lists });
    };
    return new EditSession({
      client,
      model,
      drafts,
      scope: `${server} ${model.short_id}`,
      onSaved,
      write: (act) => runAction(queryClient, act),
    });
  });
  const state = useSyncExternalStore(session.subscribe, session.snapshot);
  const launch = useLaunch(model.short_id, actions.onOpenExperiment);
  useKeptDraft(session);
  useSaveKey(session);

  // A kept draft comes back by itself; only what this browser could not keep would be lost.
  const isEndangered = state.draft === 'failed' && session.isDirty;
  useBlocker({
    shouldBlockFn: () =>
      isEndangered &&
      !window.confirm('The draft could not be stored in this browser. Leave and lose your edits?'),
    enableBeforeUnload: () => isEndangered,
  });

  const panel = (tab: ModelTab, children: ReactNode) => (
    <Tabs.Panel value={tab} className={classes.panel}>
      {search.tab === tab && <Suspense fallback={<PageSkeleton />}>{children}</Suspense>}
    </Tabs.Panel>
  );
  const { conflict } = state;
  return (
    <>
      {conflict !== null && (
        <Suspense fallback={<PageSkeleton />}>
          <ConflictView
            session={session}
            model={model}
            conflict={conflict}
            onOpenModel={actions.onOpenModel}
          />
        </Suspense>
      )}
      {/* Stays mounted behind a conflict: undo and open files are in it. */}
      <Tabs
        className={classes.page}
        data-behind={conflict !== null || undefined}
        value={search.tab}
        onChange={(tab) => onSearchChange({ tab: tab as ModelTab })}
        keepMounted
      >
        <div className={classes.top}>
          <ModelHead
            model={model}
            session={session}
            state={state}
            env={config === null ? '' : (model.env ?? '')}
            actions={actions}
          />
          <TabStrip open={search.tab} className={classes.tabs}>
            <Tabs.Tab value="files">Files</Tabs.Tab>
            <Tabs.Tab value="experiments" rightSection={launch.numRuns || undefined}>
              Experiments
            </Tabs.Tab>
            <Tabs.Tab value="versions">Versions</Tabs.Tab>
            <Tabs.Tab value="share">Share</Tabs.Tab>
            <Tabs.Tab value="info">Info</Tabs.Tab>
          </TabStrip>
        </div>
        {/* Stays mounted: undo, cursors and open files are in it. */}
        <Tabs.Panel value="files" className={classes.files}>
          <FilesTab
            model={model}
            session={session}
            state={state}
            launch={launch}
            runtimes={config?.runtimes}
            file={search.file || entranceOf(state.tree) || ''}
            onFile={(file) => onSearchChange({ file })}
            onAllRuns={() => onSearchChange({ tab: 'experiments' })}
          />
        </Tabs.Panel>
        {panel('experiments', <RunsTab modelId={model.short_id} />)}
        {panel(
          'versions',
          hasCapability(config, 'versions') ? (
            <VersionsTab
              model={model}
              session={session}
              state={state}
              shares={shares}
              search={search}
              onSearchChange={onSearchChange}
            />
          ) : (
            <p className={classes.missing}>
              This server does not keep earlier versions of a model.
            </p>
          ),
        )}
        {panel('share', sharePanel)}
        {panel(
          'info',
          <InfoTab
            model={model}
            session={session}
            state={state}
            onOpenModel={actions.onOpenModel}
          />,
        )}
      </Tabs>
    </>
  );
}

/** The draft is written at once when the tab is hidden or the page is left. */
function useKeptDraft(session: EditSession): void {
  useEffect(() => {
    const onHidden = () => {
      if (document.hidden) void session.keepDraft();
    };
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      session.close();
    };
  }, [session]);
}

function useSaveKey(session: EditSession): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 's' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      void session.save();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [session]);
}
