/** One workflow: its parts as a flow, its settings, and the runs it made. */
import { Button, Textarea } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { objectListQueryOptions } from '../live/object-list.ts';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import { FlowPicture } from './flow-picture.tsx';
import { workflowQueryOptions } from './queries.ts';
import { samplingWords } from './sampling-words.ts';
import classes from './workflows.module.css';

export interface WorkflowPageProps {
  readonly client: Client;
  readonly workflow: Workflow;
  readonly onStarted: (experimentId: string) => void;
}

export function WorkflowPage({ client, workflow: loaded, onStarted }: WorkflowPageProps) {
  const queryClient = useQueryClient();
  const workflow = useQuery({
    ...workflowQueryOptions(client, loaded.short_id),
    initialData: loaded,
  }).data;
  const runs = useQuery(
    objectListQueryOptions(client, 'experiment', {
      workflow_id: [workflow.short_id],
      page_size: 20,
    }),
  );
  const [settings, setSettings] = useState(workflow.settings ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  usePageTitle(workflow.name || workflow.short_id);
  const edited = settings !== (workflow.settings ?? '');

  const attempt = async (task: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    try {
      await task();
    } catch (error) {
      setProblem(ApiError.from(error).message);
    } finally {
      setBusy(false);
    }
  };
  const save = async () => {
    if (!edited) return;
    await client.updateObject({
      params: { objid: workflow.short_id },
      body: { payload: { object_type: 'workflow', settings } },
    });
    await queryClient.invalidateQueries({ queryKey: ['workflows'] });
  };
  const run = async () => {
    await save();
    const answer = await client.invoke({
      body: { target: workflow.short_id, action: 'run_sample', get_response: true },
    });
    await queryClient.invalidateQueries({ queryKey: ['experiments'] });
    if (answer.experiment_id !== undefined) onStarted(answer.experiment_id);
  };
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
          <Button
            loading={busy}
            disabled={!workflow.model_id}
            leftSection={<IconPlayerPlay size={16} stroke={1.6} />}
            onClick={() => void attempt(run)}
          >
            Run sampling
          </Button>
        }
      />
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      <FlowPicture workflow={workflow} sampling={samplingWords(settings)} />
      <section className={classes.section}>
        <h2>Settings</h2>
        <Textarea
          aria-label="Settings"
          description="YAML; sampling settings stand under “sampling”. Each run keeps its own copy."
          autosize
          minRows={6}
          maxRows={24}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          value={settings}
          onChange={(event) => setSettings(event.currentTarget.value)}
        />
        <Button
          mt={8}
          variant="default"
          disabled={!edited || busy}
          onClick={() => void attempt(save)}
        >
          Save settings
        </Button>
      </section>
      <section className={classes.section}>
        <h2>Runs</h2>
        {runs.data?.total === 0 ? (
          <p className={classes.dim}>This workflow has not run yet.</p>
        ) : (
          <ul className={classes.runs}>
            {runs.data?.objects.map((experiment) => (
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
    </>
  );
}
