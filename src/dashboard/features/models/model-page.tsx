/** One model: head with its save state, then files, its experiments, and its metadata. */

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
import { barePart, lazyPart } from '../../ui/lazy-part.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { TabStrip } from '../../ui/tab-strip.tsx';
import { useLaunch } from '../launching/use-launch.ts';
import { EditSession, type EditState } from './edit-session.ts';
import { FilesTab } from './files-tab.tsx';
import type { ModelActions } from './model-actions.ts';
import { ModelHead } from './model-head.tsx';
import classes from './model-page.module.css';
import type { ModelTab } from './model-tabs.ts';
import type { VersionsSearch } from './versions-tab.tsx';

const ConflictView = lazyPart(
  () => import('./conflict-view.tsx'),
  'ConflictView',
  <PageSkeleton />,
);
const InfoTab = barePart(() => import('./info-tab.tsx'), 'default');
const RunsTab = barePart(() => import('./runs-tab.tsx'), 'default');
const VersionsTab = barePart(() => import('./versions-tab.tsx'), 'default');

export interface ModelSearch extends VersionsSearch {
  readonly tab: ModelTab;
  /** Path of the open file; empty: the entrance. */
  readonly file: string;
  /** The requested change to the program; empty: none. */
  readonly fix: string;
  /** A finished run whose draws the run panel should read, and its data; empty: none. */
  readonly from: string;
  readonly data: string;
}

export interface ModelPageProps {
  /** As loaded by the route. */
  readonly model: Model;
  readonly config: ServerConfig | null;
  /** The owner of these drafts: the server's address. */
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

export function ModelPage(props: ModelPageProps) {
  const { model, config, server, search, onSearchChange, actions } = props;
  const session = useEditSession(model, server);
  const state = useSyncExternalStore(session.subscribe, session.snapshot);
  const reading = search.from === '' ? null : { from: search.from, dataId: search.data };
  const { env } = model;
  const launch = useLaunch(model.short_id, actions.onOpenExperiment, { reading, env });
  const edited = { model, session, state };
  useKeptDraft(session);
  useSaveKey(session);
  useDraftGuard(session, state);
  const { conflict } = state;
  const showDiff = () =>
    onSearchChange({ tab: 'versions', version: String(state.version ?? ''), against: 'draft' });
  return (
    <>
      {conflict !== null && (
        <ConflictView
          session={session}
          model={model}
          conflict={conflict}
          onOpenModel={actions.onOpenModel}
        />
      )}
      {/* Stays mounted behind a conflict because it holds undo and open files. */}
      <Tabs
        className={classes.page}
        data-behind={conflict !== null || undefined}
        value={search.tab}
        onChange={(tab) => onSearchChange({ tab: tab as ModelTab })}
        keepMounted
      >
        <div className={classes.top}>
          <ModelHead {...edited} env={config === null ? '' : (model.env ?? '')} actions={actions} />
          <TabTitles open={search.tab} numRuns={launch.numRuns} />
        </div>
        {/* Stays mounted because it holds undo, cursors and open files. */}
        <Tabs.Panel value="files" className={classes.files}>
          <FilesTab
            {...edited}
            launch={launch}
            runtimes={config?.runtimes}
            file={search.file || entranceOf(state.tree) || ''}
            onFile={(file) => onSearchChange({ file })}
            fix={search.fix}
            onFixed={() => onSearchChange({ fix: '' })}
            onAllRuns={() => onSearchChange({ tab: 'experiments' })}
            onDiff={hasCapability(config, 'versions') ? showDiff : undefined}
            isActive={search.tab === 'files' && conflict === null}
          />
        </Tabs.Panel>
        <OtherTabs {...props} {...edited} />
      </Tabs>
    </>
  );
}

function TabTitles({ open, numRuns }: { open: ModelTab; numRuns: number }) {
  return (
    <TabStrip open={open} className={classes.tabs}>
      <Tabs.Tab value="files">Files</Tabs.Tab>
      <Tabs.Tab value="experiments" rightSection={numRuns || undefined}>
        Experiments
      </Tabs.Tab>
      <Tabs.Tab value="versions">Versions</Tabs.Tab>
      <Tabs.Tab value="share">Share</Tabs.Tab>
      <Tabs.Tab value="info">Info</Tabs.Tab>
    </TabStrip>
  );
}

interface OtherTabsProps extends ModelPageProps {
  readonly session: EditSession;
  readonly state: EditState;
}

/** The other tabs; each is mounted while it is open. */
function OtherTabs(props: OtherTabsProps) {
  const { model, search, actions } = props;
  const panel = (tab: ModelTab, children: ReactNode) => (
    <Tabs.Panel value={tab} className={classes.panel}>
      {search.tab === tab && <Suspense fallback={<PageSkeleton />}>{children}</Suspense>}
    </Tabs.Panel>
  );
  return (
    <>
      {panel('experiments', <RunsTab modelId={model.short_id} />)}
      {panel('versions', <Versions {...props} />)}
      {panel('share', props.sharePanel)}
      {panel('info', <InfoTab {...props} onOpenModel={actions.onOpenModel} />)}
    </>
  );
}

function Versions(props: OtherTabsProps) {
  if (!hasCapability(props.config, 'versions'))
    return (
      <p className={classes.missing}>This server does not keep earlier versions of a model.</p>
    );
  return <VersionsTab {...props} />;
}

/** One session for as long as the page is mounted; its saves update the cache. */
function useEditSession(model: Model, server: string): EditSession {
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
  return session;
}

/** A stored draft comes back automatically; leaving asks only if this browser could not store the edits. */
function useDraftGuard(session: EditSession, { draft }: EditState): void {
  const isEndangered = draft === 'failed' && session.isDirty;
  useBlocker({
    shouldBlockFn: () =>
      isEndangered &&
      !window.confirm('The draft could not be stored in this browser. Leave and lose your edits?'),
    enableBeforeUnload: () => isEndangered,
  });
}

/** The draft is written immediately when the tab is hidden or the page is left. */
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
