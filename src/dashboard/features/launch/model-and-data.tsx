/** Which model runs on which data, and whether they fit. */
import { Select } from '@mantine/core';
import { IconAlertCircle, IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Model } from '../../../contract/model.ts';
import type { DataCheck } from '../../editor/data-check.ts';
import { Problem } from '../../ui/problem.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { DataSource } from '../launching/data-source.tsx';
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

/** The data block against the data, entry by entry. */
function DataTable({ check, hasData }: { check: DataCheck | null; hasData: boolean }) {
  if (check === null || check.state === 'no-program') return null;
  if (check.state === 'broken-program')
    return (
      <p className={classes.note}>The program has errors, so its data block is not known yet.</p>
    );
  if (check.state === 'no-json') {
    return (
      <p role="alert" className={classes.problem}>
        {check.message}
      </p>
    );
  }
  const { rows, extra } = check;
  if (rows.length === 0) return <p className={classes.note}>The program reads no data.</p>;
  return (
    <>
      <table className={classes.check}>
        <TableHead titles={['Data block', 'Expects', 'Found']} />
        <tbody>
          {rows.map(({ name, wants, found, isGood }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                <code>{wants}</code>
              </td>
              <td>
                {hasData ? (
                  <span className={classes.found} data-good={isGood || undefined}>
                    {isGood ? (
                      <IconCheck size={16} role="img" aria-label="fits" />
                    ) : (
                      <IconAlertCircle size={16} role="img" aria-label="does not fit" />
                    )}
                    {found}
                  </span>
                ) : (
                  '–'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasData && extra.length > 0 && (
        <p className={classes.note}>
          Not read by the program: {extra.slice(0, 8).join(', ')}
          {extra.length > 8 && ` and ${extra.length - 8} more`}
        </p>
      )}
    </>
  );
}
