/** Where a person lands: what runs now, what was last, and three steps when there is nothing yet. */
import { Button } from '@mantine/core';
import { IconCheck, IconFileCode, IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Model } from '../../../contract/model.ts';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { percentDone, VerdictMark } from '../status/verdict-mark.tsx';
import classes from './overview.module.css';
import { newestQueryOptions } from './queries.ts';

const isRunning = (experiment: Experiment) =>
  experiment.status === 'RUN' || experiment.status === 'NEW';

export function OverviewPage({ client }: { client: Client }) {
  const experimentList = useQuery(newestQueryOptions(client, 'experiment', 12));
  const modelList = useQuery(newestQueryOptions(client, 'model', 6));
  const shareList = useQuery(newestQueryOptions(client, 'share', 1));
  const experiments = (experimentList.data?.objects ?? []).filter(
    (object) => object.object_type === 'experiment',
  );
  const models = (modelList.data?.objects ?? []).filter((object) => object.object_type === 'model');
  const running = experiments.filter(isRunning);
  const finished = experiments.filter((experiment) => !isRunning(experiment)).slice(0, 8);
  const done = {
    model: (modelList.data?.total ?? 0) > 0,
    run: (experimentList.data?.total ?? 0) > 0,
    share: (shareList.data?.total ?? 0) > 0,
  };
  const known = modelList.isSuccess && experimentList.isSuccess && shareList.isSuccess;
  return (
    <div className={classes.page}>
      <PageHead
        title="Overview"
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              to="/models/new"
              leftSection={<IconPlus size={16} stroke={1.6} />}
            >
              New model
            </Button>
            {done.model && (
              <Button
                component={Link}
                to="/experiments/new"
                leftSection={<IconPlayerPlay size={16} stroke={1.6} />}
              >
                New experiment
              </Button>
            )}
          </>
        }
      />
      {known && !(done.model && done.run && done.share) && (
        <Steps done={done} experiments={experiments} />
      )}
      {running.length > 0 && (
        <Section title="Running now" count={running.length}>
          <div className={classes.running}>
            {running.map((experiment) => (
              <RunningCard key={experiment.short_id} experiment={experiment} />
            ))}
          </div>
        </Section>
      )}
      {(finished.length > 0 || models.length > 0) && (
        <div className={classes.columns}>
          <Section title="Last experiments" all="/experiments" total={experimentList.data?.total}>
            {finished.length === 0 ? (
              <p className={classes.dim}>Nothing has finished yet.</p>
            ) : (
              <ExperimentTable experiments={finished} />
            )}
          </Section>
          <Section title="Last models" all="/models" total={modelList.data?.total}>
            <ModelList models={models} />
          </Section>
        </div>
      )}
    </div>
  );
}

interface Done {
  readonly model: boolean;
  readonly run: boolean;
  readonly share: boolean;
}

function Steps({ done, experiments }: { done: Done; experiments: readonly Experiment[] }) {
  const last = experiments[0];
  const steps = [
    {
      done: done.model,
      title: 'Pick a model',
      words: 'Take one from the gallery, with its data, or bring your own.',
      action: <Link to="/models/new">Open the gallery</Link>,
    },
    {
      done: done.run,
      title: 'Run it',
      words: 'Four chains start on this server; you watch them as they go.',
      action: done.model ? <Link to="/experiments/new">New experiment</Link> : null,
    },
    {
      done: done.share,
      title: 'Share a result',
      words: 'A link with a password shows a colleague exactly what you saw.',
      action:
        last === undefined ? null : (
          <Link to="/experiments/$experimentId" params={{ experimentId: last.short_id }}>
            Open {last.name || last.short_id}
          </Link>
        ),
    },
  ];
  return (
    <ol className={classes.steps} aria-label="First steps">
      {steps.map((step, index) => (
        <li key={step.title} data-done={step.done || undefined}>
          <span className={classes.number}>
            {step.done ? <IconCheck size={14} stroke={2} aria-label="done" /> : index + 1}
          </span>
          <div>
            <h2>{step.title}</h2>
            <p>{step.words}</p>
            {!step.done && step.action}
          </div>
        </li>
      ))}
    </ol>
  );
}

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly all?: '/experiments' | '/models';
  readonly total?: number;
  readonly children: ReactNode;
}

function Section({ title, count, all, total, children }: SectionProps) {
  return (
    <section className={classes.section}>
      <header>
        <h2>
          {title} {count !== undefined && <span className={classes.dim}>{count}</span>}
        </h2>
        {all !== undefined && <Link to={all}>All {formatCount(total)}</Link>}
      </header>
      {children}
    </section>
  );
}

function RunningCard({ experiment }: { experiment: Experiment }) {
  const percent = percentDone(experiment) ?? 0;
  return (
    <Link
      className={classes.card}
      to="/experiments/$experimentId"
      params={{ experimentId: experiment.short_id }}
    >
      <span className={classes.cardHead}>
        <strong>{experiment.name || experiment.short_id}</strong>
        <StatusBadge experiment={experiment} />
      </span>
      <span className={classes.dim}>
        {experiment.model_name} · {formatCount(experiment.meta?.progress?.done)} of{' '}
        {formatCount(experiment.meta?.progress?.total)} iterations
      </span>
      <span className={classes.track}>
        <span style={{ width: `${percent}%` }} />
      </span>
    </Link>
  );
}

function ExperimentTable({ experiments }: { experiments: readonly Experiment[] }) {
  return (
    <div className={classes.tableCard}>
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>Name</th>
            <th>Verdict</th>
            <th className={classes.wide}>R-hat max</th>
            <th>Updated</th>
          </tr>
        </thead>
        <tbody>
          {experiments.map((experiment) => (
            <tr key={experiment.short_id}>
              <td>
                <StatusBadge experiment={experiment} />
              </td>
              <td className={classes.name}>
                <Link
                  to="/experiments/$experimentId"
                  params={{ experimentId: experiment.short_id }}
                >
                  {experiment.name || experiment.short_id}
                </Link>
              </td>
              <td className={classes.verdict}>
                <VerdictMark experiment={experiment} />
              </td>
              <td className={classes.wide}>
                {experiment.meta?.verdict?.rhat_max?.toFixed(3) ?? '–'}
              </td>
              <td>
                <RelativeTime date={experiment.updated_at ?? experiment.sample_update_time} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ModelList({ models }: { models: readonly Model[] }) {
  return (
    <ul className={classes.models}>
      {models.map((model) => (
        <li key={model.short_id}>
          <IconFileCode size={16} stroke={1.6} aria-hidden="true" />
          <Link to="/models/$modelId" params={{ modelId: model.short_id }}>
            {model.name || model.short_id}
          </Link>
          {model.version !== undefined && <span className={classes.version}>v{model.version}</span>}
          <span className={classes.when}>
            <RelativeTime date={model.updated_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
