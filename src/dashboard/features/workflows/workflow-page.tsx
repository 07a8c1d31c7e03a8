/** One workflow: its parts as a flow, the marked part edited below, the runs it made, and the report of the newest. */
import { Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconPlayerPlay,
  IconReportAnalytics,
  IconShare3,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ServerConfig } from '../../../contract/system.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { objectListQueryOptions, objectQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import { analysisOf } from './analysis.ts';
import { type EditablePart, FlowPicture } from './flow-picture.tsx';
import { AnalyzerPanel, DataPanel, ScriptField } from './part-panels.tsx';
import { ReportPanel } from './report-panel.tsx';
import { SamplingPanel } from './sampling-panel.tsx';
import { samplingText } from './sampling-text.ts';
import { useWorkflowActions, useWorkflowEdits } from './use-workflow.ts';
import classes from './workflows.module.css';

export interface WorkflowPageProps {
  readonly config: ServerConfig | null | undefined;
  readonly workflow: Workflow;
  readonly onStarted: (experimentId: string) => void;
  readonly onShare: () => void;
  readonly onDeleted: () => void;
}

/** While an analysis goes on, milliseconds between two looks. */
const analysisPollMs = 2000;

const partTitles: Readonly<Record<EditablePart, string>> = {
  sampling: 'Sampling',
  data: 'Data',
  analyzer: 'Analyzer',
};

export function WorkflowPage(props: WorkflowPageProps) {
  const client = useClient();
  const { config, workflow: loaded, onStarted, onShare, onDeleted } = props;
  const workflow = useQuery({
    ...objectQueryOptions(client, 'workflow', loaded.short_id),
    initialData: loaded,
    refetchInterval: ({ state }) =>
      state.data !== undefined && analysisOf(state.data).state === 'running'
        ? analysisPollMs
        : false,
    refetchIntervalInBackground: false,
  }).data;
  const runs = useQuery(
    objectListQueryOptions(client, 'experiment', {
      workflow_id: [workflow.short_id],
      page_size: 20,
    }),
  ).data;
  const [marked, setMarked] = useState<EditablePart>('sampling');
  const { parts, isEdited, edit, sent, forget } = useWorkflowEdits(workflow);
  const actions = useWorkflowActions(workflow, { sent, forget, onStarted, onDeleted });
  usePageTitle(workflow.name || workflow.short_id);
  const newest = runs?.objects.find((run) => run.short_id === workflow.experiment_id);
  return (
    <>
      <PageHead
        title={workflow.name || workflow.short_id}
        id={workflow.short_id}
        facts={[
          <span key="when">
            updated <RelativeTime date={workflow.updated_at} />
          </span>,
        ]}
        actions={
          <>
            <Button variant="default" leftSection={<IconShare3 size={16} />} onClick={onShare}>
              Share
            </Button>
            <Button
              variant="default"
              leftSection={<IconReportAnalytics size={16} />}
              loading={actions.busy === 'analyze'}
              disabled={!workflow.experiment_id || analysisOf(workflow).state === 'running'}
              title={workflow.experiment_id ? undefined : 'Run the sampling first'}
              onClick={() => void actions.analyze()}
            >
              Run analysis
            </Button>
            <Button
              loading={actions.busy === 'run'}
              disabled={!workflow.model_id}
              title={workflow.model_id ? undefined : 'This workflow has no model'}
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() => void actions.run()}
            >
              Run sampling
            </Button>
            <MoreMenu
              canDelete={config !== null}
              onPackage={actions.download}
              onDelete={actions.remove}
            />
          </>
        }
      />
      {actions.problem !== null && <Problem gap="above">{actions.problem}</Problem>}
      <FlowPicture
        workflow={workflow}
        sampling={samplingText(parts.settings)}
        experiment={newest}
        marked={marked}
        onMark={setMarked}
      />
      <div className={classes.columns}>
        <div className={classes.column}>
          <section className={classes.panel} aria-labelledby="part">
            <header>
              <h2 id="part">{partTitles[marked]}</h2>
              <span className={classes.dim}>the marked part</span>
              <Button
                size="xs"
                variant="default"
                disabled={!isEdited}
                loading={actions.busy === 'save'}
                onClick={() => void actions.save()}
              >
                {isEdited ? 'Save' : 'Saved'}
              </Button>
            </header>
            <div className={classes.body}>
              {marked === 'sampling' && (
                <>
                  <SamplingPanel
                    text={parts.settings}
                    onChange={(settings) => edit({ settings })}
                  />
                  <ScriptField
                    label="Startup script"
                    help="For models in other languages: the script that starts sampling. Stan programs need none."
                    text={parts.startup_script}
                    onChange={(startup_script) => edit({ startup_script })}
                  />
                </>
              )}
              {marked === 'data' && (
                <DataPanel
                  config={config}
                  dataId={parts.data_id}
                  dataName={workflow.data_name ?? ''}
                  script={parts.data_script}
                  onData={(data_id) => edit({ data_id })}
                  onScript={(data_script) => edit({ data_script })}
                />
              )}
              {marked === 'analyzer' && (
                <AnalyzerPanel
                  analyzerId={parts.analyzer_id}
                  analyzerName={workflow.analyzer_name ?? ''}
                  onAnalyzer={(analyzer_id) => edit({ analyzer_id })}
                />
              )}
            </div>
          </section>
          <section className={classes.panel} aria-labelledby="runs">
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
                    <Link
                      to="/experiments/$experimentId"
                      params={{ experimentId: experiment.short_id }}
                    >
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
          </section>
        </div>
        <ReportPanel workflow={workflow} />
      </div>
    </>
  );
}

interface MoreMenuProps {
  readonly canDelete: boolean;
  readonly onPackage: (fmt: 'zip' | 'tar.gz') => Promise<unknown>;
  readonly onDelete: () => Promise<void>;
}

function MoreMenu({ canDelete, onPackage, onDelete }: MoreMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px={8} aria-label="More actions">
          <IconDots size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Package to run elsewhere</Menu.Label>
        {(['zip', 'tar.gz'] as const).map((fmt) => (
          <Menu.Item
            key={fmt}
            leftSection={<IconDownload size={16} />}
            onClick={() => void onPackage(fmt)}
          >
            Download .{fmt}
          </Menu.Item>
        ))}
        {canDelete && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => void onDelete()}>
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
