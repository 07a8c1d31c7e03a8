/** Which model runs on which data, and whether they fit. */
import { Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Model } from '../../../contract/model.ts';
import { Problem } from '../../ui/problem.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { DataSource } from '../launching/data-source.tsx';
import { DataTable } from './data-table.tsx';
import classes from './launch.module.css';
import type { LaunchSetup } from './use-launch-setup.ts';

export interface ModelAndDataProps {
  readonly setup: LaunchSetup;
  /** Empty: none chosen yet. */
  readonly modelId: string;
  readonly onModel: (modelId: string) => void;
  /** Empty: the person wants none. */
  readonly onData: (dataId: string) => void;
}

export function ModelAndData({ setup, modelId, onModel, onData }: ModelAndDataProps) {
  const { models, model, run } = setup;
  return (
    <section className={classes.card} aria-labelledby="launch-what">
      <h2 id="launch-what">Model and data</h2>
      <div className={classes.two}>
        <Select
          label="Model"
          placeholder="Choose a model"
          searchable
          nothingFoundMessage="No model with this name"
          data={(models.data ?? []).map((item) => ({
            value: item.short_id,
            label: item.name || item.short_id,
          }))}
          value={modelId === '' ? null : modelId}
          allowDeselect={false}
          onChange={(value) => onModel(value ?? '')}
          description={model !== undefined && <ModelFacts model={model} />}
        />
        <DataSource setup={run} service={setup.stan.service} onChange={onData} />
      </div>
      <LoadProblems setup={setup} modelId={modelId} />
      <DataNote run={run} />
      <DataTable check={run.check} hasData={run.dataId !== ''} />
    </section>
  );
}

function ModelFacts({ model }: { model: Model }) {
  return (
    <>
      {model.version !== undefined && `Version ${model.version}, `}saved{' '}
      <RelativeTime date={model.updated_at} />,{' '}
      <Link to="/models/$modelId" params={{ modelId: model.short_id }}>
        open it
      </Link>
    </>
  );
}

function LoadProblems({
  setup: { models, modelQuery, isModelDeleted, run },
  modelId,
}: Pick<ModelAndDataProps, 'setup' | 'modelId'>) {
  return (
    <>
      {models.isError && <QueryProblem query={models} what="The list of models" />}
      {isModelDeleted ? (
        <Problem>The model of this run was deleted. Choose another model.</Problem>
      ) : (
        modelQuery.isError && modelId !== '' && <QueryProblem query={modelQuery} what="The model" />
      )}
      {run.isDataDeleted ? (
        <Problem>The data of this run were deleted. Choose other data.</Problem>
      ) : (
        run.content.isError &&
        run.dataId !== '' && <QueryProblem query={run.content} what="The data" />
      )}
    </>
  );
}

/** Why data are not compared with the program here. */
function DataNote({ run: { dataId, content, isTable } }: { run: LaunchSetup['run'] }) {
  if (dataId === '' || content.isError) return null;
  const { form } = content.data ?? {};
  // The reason next to *Run* says it.
  if (form === 'workbook' || form === 'other-encoding' || form === 'bytes') return null;
  if (isTable)
    return (
      <p className={classes.note}>
        This is a table: a run reads each column by its name, and N as the number of rows. Map the
        columns for anything else.
      </p>
    );
  if (content.data?.text !== null) return null;
  return (
    <p className={classes.note}>
      Too large to check here: the server checks them when the run starts.
    </p>
  );
}
