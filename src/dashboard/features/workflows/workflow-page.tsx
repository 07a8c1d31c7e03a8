/** One workflow: its parts as a flow, the selected part edited below, its runs, and the newest report. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { ServerConfig } from '../../../contract/system.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { unlessGone } from '../../objects/gone.ts';
import { objectListQueryOptions, objectQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { Card } from '../../ui/card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import { analysisOf } from './analysis.ts';
import { type EditablePart, FlowPicture } from './flow-picture.tsx';
import { MarkedPart } from './marked-part.tsx';
import { ReportPanel } from './report-panel.tsx';
import { samplingText } from './sampling-text.ts';
import { useWorkflowActions, useWorkflowEdits } from './use-workflow.ts';
import { WorkflowHead } from './workflow-head.tsx';
import classes from './workflows.module.css';

export interface WorkflowPageProps {
  readonly config: ServerConfig | null | undefined;
  readonly workflow: Workflow;
  readonly onStarted: (experimentId: string) => void;
  readonly onShare: () => void;
  readonly onDeleted: () => void;
}

/** Milliseconds between two checks while an analysis is running. */
const analysisPollMs = 2000;

export function WorkflowPage(props: WorkflowPageProps) {
  const { config, onStarted, onShare, onDeleted } = props;
  const { workflow, runs } = useWorkflow(props.workflow);
  const [marked, setMarked] = useState<EditablePart>('sampling');
  const edits = useWorkflowEdits(workflow);
  const { sent, forget } = edits;
  const actions = useWorkflowActions(workflow, { sent, forget, onStarted, onDeleted });
  usePageTitle(workflow.name || workflow.short_id);
  return (
    <div className={classes.page}>
      <WorkflowHead
        workflow={workflow}
        actions={actions}
        canDelete={config !== null}
        onShare={onShare}
      />
      {actions.problem !== null && <Problem gap="above">{actions.problem}</Problem>}
      <FlowPicture
        workflow={workflow}
        sampling={samplingText(edits.parts.settings)}
        experiment={runs?.objects.find((run) => run.short_id === workflow.experiment_id)}
        marked={marked}
        onMark={setMarked}
      />
      <div className={classes.columns}>
        <div className={classes.column}>
          <MarkedPart
            part={marked}
            config={config}
            workflow={workflow}
            edits={edits}
            isSaving={actions.busy === 'save'}
            onSave={actions.save}
          />
          <PastRuns runs={runs} />
        </div>
        <ReportPanel workflow={workflow} />
      </div>
    </div>
  );
}

/** The server's current workflow, and its newest runs. */
function useWorkflow(loaded: Workflow) {
  const client = useClient();
  const query = useQuery({
    ...objectQueryOptions(client, 'workflow', loaded.short_id),
    initialData: loaded,
    refetchInterval: ({ state }) =>
      state.data !== undefined && analysisOf(state.data).state === 'running'
        ? analysisPollMs
        : false,
    refetchIntervalInBackground: false,
  });
  const workflow = unlessGone(query).data;
  const runs = useQuery(
    objectListQueryOptions(client, 'experiment', {
      workflow_id: [workflow.short_id],
      page_size: 20,
    }),
  ).data;
  return { workflow, runs };
}

interface PastRunsProps {
  /** Undefined: not known yet. */
  readonly runs: { readonly total: number; readonly objects: readonly Experiment[] } | undefined;
}

/** The newest experiments that a workflow created. */
function PastRuns({ runs }: PastRunsProps) {
  return (
    <Card className={classes.panel} aria-labelledby="runs">
      <header>
        <h2 id="runs">Past experiments</h2>
        <span className={classes.dim} data-numeric>
          {runs?.total ?? ''}
        </span>
      </header>
      {runs?.total === 0 ? (
        <p className={classes.state}>This workflow has not run yet.</p>
      ) : (
        <ul className={classes.runs}>
          {runs?.objects.map((experiment) => (
            <li key={experiment.short_id}>
              <StatusBadge experiment={experiment} />
              <Link to="/experiments/$experimentId" params={{ experimentId: experiment.short_id }}>
                {experiment.name || experiment.short_id}
              </Link>
              <VerdictMark experiment={experiment} />
              <span className={classes.when}>
                <RelativeTime date={experiment.created_at ?? experiment.sample_update_time} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
