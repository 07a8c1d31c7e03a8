/** The parts of a workflow, the flow between them, and the state of each; a selected part is edited below. */
import {
  IconAdjustmentsHorizontal,
  IconAlertCircle,
  IconAlertTriangle,
  IconChartLine,
  IconCircleCheck,
  IconCircleX,
  IconCode,
  IconDatabase,
  IconFileCode,
  IconLoader2,
  IconReportAnalytics,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Children, type ComponentType, type ReactNode } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { isFailed } from '../status/is-failed.ts';
import { runVerdict } from '../status/run-verdict.ts';
import { analysisOf } from './analysis.ts';
import classes from './workflows.module.css';

/** The parts that can be edited here; model and experiment have separate pages. */
export type EditablePart = 'sampling' | 'data' | 'analyzer';

export interface FlowPictureProps {
  readonly workflow: Workflow;
  /** "4 chains × (1 000 + 1 000)". */
  readonly sampling: string;
  /** The newest experiment; undefined while it is not known. */
  readonly experiment: Experiment | undefined;
  readonly marked: EditablePart;
  readonly onMark: (part: EditablePart) => void;
}

export function FlowPicture({ workflow, sampling, experiment, marked, onMark }: FlowPictureProps) {
  const { model_id, model_name, data_id, data_name, data_script, experiment_id } = workflow;
  const { analyzer_id, analyzer_name, startup_script } = workflow;
  const { state } = analysisOf(workflow);
  const mark = (part: EditablePart) => ({
    isMarked: marked === part,
    onMark: () => onMark(part),
  });
  return (
    <section className={classes.flow} aria-label="Parts">
      <div className={classes.pair}>
        <Part title="Model" icon={IconFileCode} to={model_id ? `/models/${model_id}` : undefined}>
          {model_id ? model_name || model_id : 'None; choose one to run'}
        </Part>
        <Part title="Data" icon={IconDatabase} {...mark('data')}>
          {data_id ? data_name || data_id : 'None'}
          {data_script ? ', prepared by a script' : ''}
        </Part>
      </div>
      <Wires path="M0 30 C30 30 10 72 38 72 M0 114 C30 114 10 72 38 72" heads={[72]} />
      <Down isNarrow />
      <Part title="Sampling" icon={IconAdjustmentsHorizontal} {...mark('sampling')}>
        {sampling}
        {startup_script ? ', with a startup script' : ''}
      </Part>
      <Wires path="M0 72 H38" heads={[72]} />
      <Down isNarrow />
      <Part
        title="Experiment"
        icon={IconChartLine}
        state={experiment === undefined ? undefined : stateOf(experiment)}
        to={experiment_id ? `/experiments/${experiment_id}` : undefined}
      >
        {experiment_id ? experiment?.name || experiment_id : 'Not run yet'}
      </Part>
      <Wires path="M0 72 C30 72 10 30 38 30" heads={[30]} />
      <Down isNarrow />
      <div className={classes.pair} data-ordered>
        <Part title="Analyzer" icon={IconCode} {...mark('analyzer')}>
          {analyzer_id ? analyzer_name || analyzer_id : 'The standard report'}
        </Part>
        <Down />
        <Part
          title="Report"
          icon={IconReportAnalytics}
          state={state === 'none' ? undefined : reportStates[state]}
        >
          {state === 'none' ? 'None yet' : reportStates[state].label}
        </Part>
      </div>
    </section>
  );
}

interface PartState {
  readonly kind: 'good' | 'busy' | 'warn' | 'doubt' | 'bad';
  readonly label: string;
}

const reportStates = {
  running: { kind: 'busy', label: 'Running' },
  done: { kind: 'good', label: 'Ready' },
  error: { kind: 'bad', label: 'Failed' },
} as const satisfies Record<string, PartState>;

/** The verdict, as in lists and on the run's own page: a run that ended is not necessarily good. */
function stateOf(experiment: Experiment): PartState | undefined {
  const { status } = experiment;
  if (isFailed(experiment)) return { kind: 'bad', label: 'Failed' };
  if (status === 'RUN' || status === 'NEW') return { kind: 'busy', label: 'Running' };
  const said = runVerdict(experiment);
  switch (said?.tone) {
    case 'good':
    case 'warn':
      return { kind: said.tone, label: said.headline };
    case 'bad':
      return { kind: 'doubt', label: said.headline };
    default:
      return undefined;
  }
}

/** To the part below; `isNarrow`: only if all parts are in one column. */
function Down({ isNarrow = false }: { isNarrow?: boolean }) {
  return (
    <svg
      className={classes.down}
      viewBox="0 0 12 24"
      data-narrow={isNarrow || undefined}
      aria-hidden="true"
    >
      <path d="M6 0 V16" />
      <path d="M2 15 L6 23 L10 15 Z" data-head />
    </svg>
  );
}

/** `heads`: how far down an arrow ends on the right. */
function Wires({ path, heads }: { path: string; heads: readonly number[] }) {
  return (
    <svg
      className={classes.wires}
      viewBox="0 0 48 144"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
      {heads.map((y) => (
        <path key={y} d={`M38 ${y - 4} L46 ${y} L38 ${y + 4} Z`} data-head />
      ))}
    </svg>
  );
}

/** The full text, for when it is cut off. */
function wordsOf(children: ReactNode): string {
  return Children.toArray(children)
    .filter((part) => typeof part === 'string')
    .join('');
}

interface PartProps {
  readonly title: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly state?: PartState;
  /** Where it can be viewed. */
  readonly to?: string;
  readonly isMarked?: boolean;
  readonly onMark?: () => void;
  readonly children: ReactNode;
}

const stateIcons = {
  good: IconCircleCheck,
  busy: IconLoader2,
  warn: IconAlertTriangle,
  doubt: IconAlertCircle,
  bad: IconCircleX,
};

function Part({ title, icon: Icon, state, to, isMarked, onMark, children }: PartProps) {
  const StateIcon = state === undefined ? null : stateIcons[state.kind];
  const content = (
    <>
      <strong>
        <Icon size={16} />
        {title}
        {StateIcon !== null && state !== undefined && (
          <span className={classes.partState} data-kind={state.kind} title={state.label}>
            <StateIcon size={16} aria-hidden="true" />
            <span className="visually-hidden">{state.label}</span>
          </span>
        )}
      </strong>
      <span className={classes.partText} title={wordsOf(children)}>
        {children}
      </span>
    </>
  );
  if (to !== undefined)
    return (
      <Link to={to} className={classes.part}>
        {content}
      </Link>
    );
  if (onMark !== undefined)
    return (
      <button
        type="button"
        className={classes.part}
        aria-pressed={isMarked}
        data-marked={isMarked || undefined}
        onClick={onMark}
      >
        {content}
      </button>
    );
  return <div className={classes.part}>{content}</div>;
}
