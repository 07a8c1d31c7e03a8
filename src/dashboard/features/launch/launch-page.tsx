/** Sets a run up: what runs, on which data, with which settings; says why it cannot run while it cannot. */
import { Button, Select } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { ServerConfig } from '../../../contract/system.ts';
import { runtimeOfFile } from '../../../formats/entrance-file.ts';
import { entranceOf, fromContent } from '../../editor/file-tree.ts';
import { stanFilesOf, useDataCheck, useStan } from '../../editor/use-stan.ts';
import { choicesQueryOptions, objectQueryOptions } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { dataTextQueryOptions } from '../launching/data-content.ts';
import { settingFields } from '../launching/launch-settings.ts';
import { runReason } from '../launching/run-reason.ts';
import { SettingInput } from '../launching/setting-input.tsx';
import { useLaunch } from '../launching/use-launch.ts';
import { DataSource } from './data-source.tsx';
import { DataTable } from './data-table.tsx';
import classes from './launch.module.css';
import { WhatWillRun } from './what-will-run.tsx';

export interface LaunchPageProps {
  readonly config: ServerConfig | null;
  /** Empty: none chosen yet. */
  readonly modelId: string;
  readonly dataId: string;
  readonly onChange: (change: { model?: string; data?: string }) => void;
  readonly onStarted: (experimentId: string) => void;
  /** Other ways to an experiment, below the title. */
  readonly ways?: ReactNode;
}

/** In the address: the person wants no data. Nothing in the address means what the model was run on last. */
const noData = 'none';

export function LaunchPage({
  config,
  modelId,
  dataId: chosen,
  onChange,
  onStarted,
  ways,
}: LaunchPageProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const models = useQuery(choicesQueryOptions(client, 'model'));
  const datas = useQuery(choicesQueryOptions(client, 'data'));
  const modelQuery = useQuery({
    ...objectQueryOptions(client, 'model', modelId),
    enabled: modelId !== '',
  });
  const model = modelId === '' ? undefined : modelQuery.data;
  const launch = useLaunch(modelId, onStarted);
  const isThere = (id: string) => datas.data?.some((data) => data.short_id === id) ?? false;
  const dataId =
    chosen === noData ? '' : chosen || (isThere(launch.originDataId) ? launch.originDataId : '');
  const data = datas.data?.find((candidate) => candidate.short_id === dataId);

  const tree = useMemo(() => (model?.content ? fromContent(model.content) : null), [model]);
  const entrance = tree === null ? null : entranceOf(tree);
  const stanFiles = useMemo(() => (tree === null ? null : stanFilesOf(tree)), [tree]);
  const stan = useStan(stanFiles);
  const content = useQuery({
    ...dataTextQueryOptions(client, dataId, data?.version),
    enabled: dataId !== '',
  });
  const isTable = content.data?.data.fmt === 'csv';
  const text = dataId === '' ? '' : isTable ? null : (content.data?.text ?? null);
  const check = useDataCheck(stan, stanFiles, text);

  const env = entrance === null ? '' : model?.env || runtimeOfFile(entrance);
  const reason =
    modelId === ''
      ? { words: 'choose a model first.' }
      : model === undefined
        ? null
        : runReason({
            entrance,
            env,
            dataId,
            runtimes: config?.runtimes,
            checked: stan.checked,
            dataCheck: check,
            settingProblems: launch.problems,
          });
  if (models.data?.length === 0) {
    return (
      <>
        <PageHead title="New experiment" />
        {ways}
        <EmptyState
          title="There is no model to run yet"
          action={
            <Button component={Link} to="/models/new">
              Open the gallery
            </Button>
          }
        >
          An experiment is one run of a model on data. The gallery has models with their data, ready
          to run.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHead title="New experiment" />
      {ways}
      <div className={classes.columns}>
        <div className={classes.main}>
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
                onChange={(value) => onChange({ model: value ?? '', data: '' })}
                description={
                  model !== undefined && (
                    <>
                      {model.version !== undefined && `Version ${model.version}, `}saved{' '}
                      <RelativeTime date={model.updated_at} />,{' '}
                      <Link to="/models/$modelId" params={{ modelId }}>
                        open it
                      </Link>
                    </>
                  )
                }
              />
              <DataSource
                datas={datas.data ?? []}
                dataId={dataId}
                isWrong={reason !== null && 'place' in reason && reason.place === 'data'}
                onChange={(id) => onChange({ data: id === '' ? noData : id })}
                onMade={async (id) => {
                  await queryClient.invalidateQueries({ queryKey: objectKeys('data').lists });
                  onChange({ data: id });
                }}
              />
            </div>
            {models.isError && <QueryProblem query={models} what="The list of models" />}
            {modelQuery.isError && modelId !== '' && (
              <QueryProblem query={modelQuery} what="The model" />
            )}
            {content.isError && dataId !== '' && <QueryProblem query={content} what="The data" />}
            {isTable && (
              <p className={classes.note}>
                This is a table: the server passes each column as a variable and N as the number of
                rows, and checks them when the run starts.
              </p>
            )}
            {dataId !== '' && !isTable && content.data?.text === null && (
              <p className={classes.note}>
                Too large to check here: the server checks them when the run starts.
              </p>
            )}
            <DataTable check={check} hasData={dataId !== ''} />
          </section>
          <section className={classes.card} aria-labelledby="launch-sampling">
            <header>
              <h2 id="launch-sampling">Sampling</h2>
              {launch.useLast !== null && (
                <TextButton onClick={launch.useLast}>
                  Use the last settings for this model
                </TextButton>
              )}
            </header>
            <Settings launch={launch} advanced={false} />
            <Advanced launch={launch} />
          </section>
        </div>
        <WhatWillRun
          launch={launch}
          check={check}
          reason={reason}
          dataId={dataId}
          isReady={modelId !== '' && model !== undefined}
          onRun={() => void launch.start({ dataId, name: model?.name || modelId })}
        />
      </div>
    </>
  );
}

type LaunchOf = { readonly launch: ReturnType<typeof useLaunch> };

function Settings({ launch, advanced }: LaunchOf & { advanced: boolean }) {
  return (
    <div className={classes.three}>
      {settingFields
        .filter((field) => field.advanced === advanced)
        .map((field) => (
          <SettingInput
            key={field.key}
            shape="field"
            field={field}
            text={launch.texts[field.key] ?? ''}
            problem={launch.problems.get(field.key)}
            onChange={(text) => launch.setText(field.key, text)}
          />
        ))}
    </div>
  );
}

function Advanced({ launch }: LaunchOf) {
  const [isOpen, setIsOpen] = useState(false);
  // A field at fault is never folded away.
  const isShown =
    isOpen || settingFields.some((field) => field.advanced && launch.problems.has(field.key));
  const Chevron = isShown ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.advanced}>
      <button type="button" aria-expanded={isShown} onClick={() => setIsOpen(!isOpen)}>
        <Chevron size={16} aria-hidden="true" />
        <strong>Advanced</strong>
        <span>metric, thin, init radius, save warmup, limits</span>
      </button>
      {isShown && <Settings launch={launch} advanced />}
    </div>
  );
}
