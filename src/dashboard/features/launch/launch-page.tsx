/** Sets up a run: what runs, on which data, with which settings; shows why it cannot run yet. */
import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { ServerConfig } from '../../../contract/system.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import classes from './launch.module.css';
import { ModelAndData } from './model-and-data.tsx';
import { SamplingCard } from './sampling-card.tsx';
import { useLaunchSetup } from './use-launch-setup.ts';
import { WhatWillRun } from './what-will-run.tsx';

export interface LaunchPageProps {
  readonly config: ServerConfig | null;
  /** Empty: none chosen yet. */
  readonly modelId: string;
  readonly dataId: string;
  /** The run whose settings initialise the form; null: a new run. */
  readonly again?: Experiment | null;
  readonly onChange: (change: { model?: string; data?: string }) => void;
  readonly onStarted: (experimentId: string) => void;
  /** Other ways to create an experiment, below the title. */
  readonly ways?: ReactNode;
}

/** In the address: the user wants no data. Without it the data are those that the model last ran on. */
const noData = 'none';

export function LaunchPage(props: LaunchPageProps) {
  const { config, modelId, dataId, again = null, onChange, onStarted, ways } = props;
  const chosenDataId = dataId === noData ? '' : dataId || null;
  const setup = useLaunchSetup({ config, modelId, chosenDataId, again, onStarted });
  const { model, launch, run } = setup;
  const hasNoModels = setup.models.data?.length === 0;
  // Whether there is anything to choose from is not known yet.
  const isWaiting = modelId === '' && setup.models.isPending;
  return (
    <>
      <PageHead title={again === null ? 'New experiment' : 'Run again'} />
      {again === null ? ways : <AgainNote again={again} version={model?.version} />}
      {isWaiting ? (
        <div aria-busy="true" aria-label="Loading">
          <Skeleton height={320} maw={720} mt={16} radius="md" />
        </div>
      ) : hasNoModels ? (
        <NoModels />
      ) : (
        <div className={classes.columns}>
          <div
            className={classes.main}
            data-pending={
              (modelId !== '' && run.dataId !== '' && run.check === null && !run.isDataDeleted) ||
              undefined
            }
          >
            <ModelAndData
              setup={setup}
              modelId={modelId}
              onModel={(id) => onChange({ model: id, data: '' })}
              onData={(id) => onChange({ data: id === '' ? noData : id })}
            />
            <SamplingCard launch={launch} sameSeed={seedOf(again)} />
          </div>
          <WhatWillRun
            launch={launch}
            check={run.check}
            reason={setup.reason}
            dataId={run.file === undefined && !run.isDataDeleted ? run.dataId : ''}
            isReady={model !== undefined}
            onRun={() => void launch.start({ ...run.order, name: model?.name || modelId })}
          />
        </div>
      )}
    </>
  );
}

function AgainNote({ again, version }: { again: Experiment; version: number | undefined }) {
  const before = again.meta?.model_version;
  const isOther = before && version !== undefined && version !== before;
  return (
    <p className={classes.again}>
      With the settings of{' '}
      <Link to="/experiments/$experimentId" params={{ experimentId: again.short_id }}>
        {again.name || again.short_id}
      </Link>
      , which remains unchanged.
      {isOther && ` It ran v${before} of the model; this run uses v${version}.`}
    </p>
  );
}

/** Recorded with the run; null if the server does not say. */
function seedOf(again: Experiment | null): string | null {
  const seed = again?.meta?.settings?.seed;
  return typeof seed === 'number' || typeof seed === 'string' ? String(seed) : null;
}

function NoModels() {
  return (
    <EmptyState
      title="There is no model to run yet"
      action={
        <Button variant="filled" component={Link} to="/models/new">
          Open the gallery
        </Button>
      }
    >
      An experiment is one run of a model on data. The gallery has models with their data, ready to
      run.
    </EmptyState>
  );
}
