/** Next to the files: data, settings, *Run* with the reason if it is disabled, and the last runs. */
import { Button, Kbd } from '@mantine/core';
import {
  IconAlertCircleFilled,
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Model } from '../../../contract/model.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import type { StanFiles, StanService } from '../../editor/stan-service.ts';
import type { Stan } from '../../editor/use-stan.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { usePageAction } from '../../ui/page-actions.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { controlKey } from '../../ui/shortcuts.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useChord } from '../../ui/use-chord.ts';
import { DataSource } from '../launching/data-source.tsx';
import { advancedText } from '../launching/launch-settings.ts';
import { fitText, type RunReason, reasonText } from '../launching/run-reason.ts';
import { SettingInputs } from '../launching/setting-input.tsx';
import { SettingsNote } from '../launching/settings-note.tsx';
import { isFileChoice } from '../launching/tree-data.ts';
import type { Launch } from '../launching/use-launch.ts';
import { type RunSetupState, useRunSetup } from '../launching/use-run-setup.ts';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import type { EditSession } from './edit-session.ts';
import page from './files-tab.module.css';
import classes from './run-panel.module.css';

export interface RunPanelProps {
  readonly className?: string;
  readonly model: Model;
  readonly session: EditSession;
  readonly stan: Stan;
  readonly stanFiles: StanFiles;
  readonly entrance: string | null;
  readonly launch: Launch;
  readonly runtimes: Readonly<Record<string, boolean>> | undefined;
  readonly onGoTo: (problem: Problem) => void;
  readonly onAllRuns: () => void;
  /** In front: its shortcut and its palette action are active. */
  readonly isActive: boolean;
  /** Shows the panel if it is folded away. */
  readonly onReveal: () => void;
}

const runChord = { modifier: 'control', keys: ['enter'] } as const;
const runAction = {
  label: 'Run this model',
  detail: 'with the data and settings of the run panel',
  keys: [controlKey, 'Enter'],
};

export function RunPanel(props: RunPanelProps) {
  const { className = '', model, session, stan, stanFiles, entrance, launch, runtimes } = props;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const setup = useRunSetup({ model, entrance, stan, stanFiles, launch, runtimes, chosenId });
  const { dataId, reason } = setup;
  const run = () =>
    launch.start({
      ...setup.order,
      name: model.name || model.short_id,
      before: () => session.save(),
    });
  const runByKey = () => {
    if (launch.isStarting) return;
    if (reason === null) return void run();
    props.onReveal();
    showToast({ message: reasonText(reason), tone: 'bad' });
  };
  useChord(runChord, props.isActive ? runByKey : null);
  usePageAction(runAction, props.isActive ? runByKey : null);
  return (
    <section className={`${classes.runPanel} ${className}`} aria-label="Run">
      <header className={classes.runHead}>
        <h2>
          Run{' '}
          <Kbd className={classes.key} aria-hidden="true">
            {controlKey} Enter
          </Kbd>
        </h2>
        <SettingsNote launch={launch} />
        {launch.useLast !== null && (
          <TextButton onClick={launch.useLast}>Use last settings</TextButton>
        )}
      </header>
      <DataChoice setup={setup} service={stan.service} onChoose={setChosenId} />
      <Settings launch={launch} />
      <Button
        variant="filled"
        fullWidth
        leftSection={<IconPlayerPlay size={16} />}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        disabled={reason !== null}
        loading={launch.isStarting}
        aria-describedby={reason === null ? undefined : 'run-reason'}
        onClick={() => void run()}
      >
        {session.isDirty ? 'Save and run' : 'Run'}
      </Button>
      {reason !== null && <Reason reason={reason} dataId={dataId} onGoTo={props.onGoTo} />}
      {launch.failure !== null && (
        <p role="alert" className={classes.reason}>
          <IconAlertCircleFilled size={14} aria-hidden="true" />
          <span>Not started: {launch.failure}</span>
        </p>
      )}
      {launch.runs.length > 0 && (
        <LastRuns launch={launch} modelName={model.name} onAllRuns={props.onAllRuns} />
      )}
    </section>
  );
}

interface DataChoiceProps {
  readonly setup: RunSetupState;
  readonly service: StanService;
  /** Empty: none. */
  readonly onChoose: (dataId: string) => void;
}

function DataChoice({ setup, service, onChoose }: DataChoiceProps) {
  const { dataId, content, check } = setup;
  const fits = check === null || dataId === '' ? null : fitText(check);
  return (
    <>
      <DataSource setup={setup} service={service} onChange={onChoose} onFile={onChoose} />
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
    </>
  );
}

/** The usual settings, with the others folded below. */
function Settings({ launch }: Pick<RunPanelProps, 'launch'>) {
  const [isAdvanced, setIsAdvanced] = useState(false);
  const inputs = { launch, shape: 'line', className: classes.settings } as const;
  const Chevron = isAdvanced ? IconChevronDown : IconChevronRight;
  return (
    <>
      <SettingInputs {...inputs} advanced={false} />
      <TextButton aria-expanded={isAdvanced} onClick={() => setIsAdvanced(!isAdvanced)}>
        <Chevron size={14} />
        {advancedText(launch.texts)}
      </TextButton>
      {isAdvanced && <SettingInputs {...inputs} advanced />}
    </>
  );
}

interface ReasonProps {
  readonly reason: RunReason;
  readonly dataId: string;
  readonly onGoTo: (problem: Problem) => void;
}

function Reason({ reason: { problem, message, place }, dataId, onGoTo }: ReasonProps) {
  return (
    <p id="run-reason" className={classes.reason}>
      <IconAlertCircleFilled size={14} aria-hidden="true" />
      <span>
        Cannot run:{' '}
        {problem !== undefined && (
          <>
            <TextButton onClick={() => onGoTo(problem)}>line {problem.line}</TextButton>
            {' has an error. '}
          </>
        )}
        <CodeText>{message}</CodeText>{' '}
        {place === 'data' && dataId !== '' && !isFileChoice(dataId) && (
          <Link to="/data/$dataId" params={{ dataId }}>
            Open the data
          </Link>
        )}
      </span>
    </p>
  );
}

interface LastRunsProps extends Pick<RunPanelProps, 'launch' | 'onAllRuns'> {
  readonly modelName: string;
}

/** The newest first. A run without a name of its own is shown by its id. */
function LastRuns({ launch, modelName, onAllRuns }: LastRunsProps) {
  const names = launch.runs.map(({ name }) => name);
  const isOwn = (name: string) =>
    name !== '' && name !== modelName && names.indexOf(name) === names.lastIndexOf(name);
  return (
    <>
      <header className={classes.runHead}>
        <h2>Last runs</h2>
        <TextButton onClick={onAllRuns}>All {launch.numRuns}</TextButton>
      </header>
      <ul className={classes.lastRuns}>
        {launch.runs.map((experiment) => (
          <li key={experiment.short_id}>
            <Link
              to="/experiments/$experimentId"
              params={{ experimentId: experiment.short_id }}
              title={`${experiment.name} ${experiment.short_id}`.trim()}
            >
              {isOwn(experiment.name) ? experiment.name : <code>{experiment.short_id}</code>}
            </Link>
            {experiment.status === 'FIN' && experiment.meta?.verdict ? (
              <VerdictMark experiment={experiment} />
            ) : (
              <StatusBadge experiment={experiment} />
            )}
            <span className={page.dim}>
              <RelativeTime date={experiment.created_at ?? experiment.sample_update_time} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
