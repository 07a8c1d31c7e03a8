/** Beside the files: data, settings, *Run* with the reason when it cannot, and the last runs. */
import { Button, Select } from '@mantine/core';
import {
  IconAlertCircleFilled,
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Model } from '../../../contract/model.ts';
import { runtimeOfFile } from '../../../formats/entrance-file.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import type { StanFiles } from '../../editor/stan-service.ts';
import { type Stan, useDataCheck } from '../../editor/use-stan.ts';
import { choicesQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { dataTextQueryOptions } from '../launching/data-content.ts';
import { settingFields } from '../launching/launch-settings.ts';
import { fitText, runReason } from '../launching/run-reason.ts';
import { SettingInput } from '../launching/setting-input.tsx';
import type { Launch } from '../launching/use-launch.ts';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import type { EditSession } from './edit-session.ts';
import page from './files-tab.module.css';
import classes from './run-panel.module.css';

export interface RunPanelProps {
  readonly className: string;
  readonly model: Model;
  readonly session: EditSession;
  readonly stan: Stan;
  readonly stanFiles: StanFiles;
  readonly entrance: string | null;
  readonly launch: Launch;
  readonly runtimes: Readonly<Record<string, boolean>> | undefined;
  readonly onGoTo: (problem: Problem) => void;
  readonly onAllRuns: () => void;
}

const icon = { size: 16 } as const;

export function RunPanel(props: RunPanelProps) {
  const client = useClient();
  const { className, model, session, stan, stanFiles, entrance, launch, runtimes } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAdvanced, setIsAdvanced] = useState(false);
  const choices = useQuery(choicesQueryOptions(client, 'data'));
  const isThere = (id: string) => choices.data?.some((data) => data.short_id === id) ?? false;
  const dataId = chosen ?? (isThere(launch.originDataId) ? launch.originDataId : '');
  const data = choices.data?.find((candidate) => candidate.short_id === dataId);
  const content = useQuery({
    ...dataTextQueryOptions(client, dataId, data?.version),
    enabled: dataId !== '',
  });
  // A table of columns is read by the server; here only JSON is compared.
  const isComparable = dataId === '' || content.data?.data.fmt !== 'csv';
  const text = dataId === '' ? '' : (content.data?.text ?? null);
  const check = useDataCheck(stan, stanFiles, isComparable ? text : null);
  const env = entrance === null ? '' : model.env || runtimeOfFile(entrance);
  const reason = runReason({
    entrance,
    env,
    runtimes,
    dataId,
    checked: stan.checked,
    dataCheck: check,
    settingProblems: launch.problems,
  });
  const fits = check === null || dataId === '' ? null : fitText(check);
  const run = () =>
    launch.start({ dataId, name: model.name || model.short_id, before: () => session.save() });
  const fields = (advanced: boolean) =>
    settingFields
      .filter((field) => field.advanced === advanced)
      .map((field) => (
        <SettingInput
          key={field.key}
          shape="line"
          field={field}
          text={launch.texts[field.key] ?? ''}
          problem={launch.problems.get(field.key)}
          onChange={(value) => launch.setText(field.key, value)}
        />
      ));
  return (
    <section className={`${classes.runPanel} ${className}`} aria-label="Run">
      <header className={classes.runHead}>
        <h2>Run</h2>
        {launch.useLast !== null && (
          <TextButton onClick={launch.useLast}>Use last settings</TextButton>
        )}
      </header>
      <Select
        label="Data"
        placeholder="None"
        searchable
        clearable
        nothingFoundMessage="No data with this name"
        data={(choices.data ?? []).map((item) => ({
          value: item.short_id,
          label: item.name || item.short_id,
        }))}
        value={dataId === '' ? null : dataId}
        onChange={(value) => setChosen(value ?? '')}
      />
      {fits !== null && (
        <p className={classes.fits}>
          <IconCheck size={14} aria-hidden="true" />
          {fits}
        </p>
      )}
      {content.isError && (
        <p className={classes.fits}>
          The data cannot be shown now; the server checks them when the run starts.
        </p>
      )}
      <div className={classes.settings}>{fields(false)}</div>
      <TextButton aria-expanded={isAdvanced} onClick={() => setIsAdvanced(!isAdvanced)}>
        {isAdvanced ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        Metric, thin, init radius, save warmup, limits
      </TextButton>
      {isAdvanced && <div className={classes.settings}>{fields(true)}</div>}
      <Button
        fullWidth
        leftSection={<IconPlayerPlay {...icon} />}
        disabled={reason !== null}
        loading={launch.isStarting}
        aria-describedby={reason === null ? undefined : 'run-reason'}
        onClick={() => void run()}
      >
        {session.isDirty ? 'Save and run' : 'Run'}
      </Button>
      {reason !== null && (
        <p id="run-reason" className={classes.reason}>
          <IconAlertCircleFilled size={14} aria-hidden="true" />
          <span>
            Cannot run:{' '}
            {reason.problem !== undefined && (
              <>
                <TextButton onClick={() => reason.problem && props.onGoTo(reason.problem)}>
                  line {reason.problem.line}
                </TextButton>
                {' has an error. '}
              </>
            )}
            <CodeText>{reason.words}</CodeText>{' '}
            {reason.place === 'data' && dataId !== '' && (
              <Link to="/data/$dataId" params={{ dataId }}>
                Open the data
              </Link>
            )}
          </span>
        </p>
      )}
      {launch.failure !== null && (
        <p role="alert" className={classes.reason}>
          <IconAlertCircleFilled size={14} aria-hidden="true" />
          <span>Not started: {launch.failure}</span>
        </p>
      )}
      {launch.runs.length > 0 && (
        <>
          <header className={classes.runHead}>
            <h2>Last runs</h2>
            <TextButton onClick={props.onAllRuns}>All {launch.numRuns}</TextButton>
          </header>
          <ul className={classes.lastRuns}>
            {launch.runs.map((experiment) => (
              <li key={experiment.short_id}>
                <Link
                  to="/experiments/$experimentId"
                  params={{ experimentId: experiment.short_id }}
                >
                  <code>{experiment.short_id}</code>
                </Link>
                {experiment.status === 'FIN' && experiment.meta?.verdict ? (
                  <VerdictMark experiment={experiment} />
                ) : (
                  <StatusBadge experiment={experiment} />
                )}
                <span className={page.dim}>
                  <RelativeTime date={experiment.updated_at ?? experiment.sample_update_time} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
