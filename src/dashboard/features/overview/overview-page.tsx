/** The landing page: what runs now, what ran last, and three steps when there is nothing yet. */
import { Button } from '@mantine/core';
import {
  IconAlertCircle,
  IconFileCode,
  IconPlayerPlay,
  IconPlus,
  IconShare3,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Model } from '../../../contract/model.ts';
import { essFigure, rhatFigure } from '../../../posterior/verdict-limits.ts';
import { objectListQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCapability } from '../../objects/use-config.ts';
import { Card } from '../../ui/card.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { judgeNumbers } from '../status/judge-numbers.ts';
import { JudgedValue } from '../status/judged-value.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import classes from './overview.module.css';
import { RunningCard } from './running-card.tsx';
import { areStepsHidden, SetupSteps } from './setup-steps.tsx';
import { shownEnded, useOverviewRuns } from './use-overview-runs.ts';

/** Only newcomers see it. */
const GalleryPreview = lazyPart(() => import('./gallery-preview.tsx'), 'GalleryPreview');

export interface OverviewPageProps {
  /** Number of unread notifications; 0 when the server has none. */
  readonly unread: number;
}

export function OverviewPage({ unread }: OverviewPageProps) {
  const client = useClient();
  const { list: experimentList, running, numRunning, ended } = useOverviewRuns();
  const modelList = useQuery(objectListQueryOptions(client, 'model', { page_size: 5 }));
  const shareList = useQuery({
    ...objectListQueryOptions(client, 'share', { page_size: 1 }),
    // a user who ran nothing has nothing to share
    enabled: !areStepsHidden() && (experimentList.data?.total ?? 0) > 0,
  });
  const models = modelList.data?.objects ?? [];
  const failed = ended.filter(({ status }) => status === 'ERR').slice(0, shownFailed);
  const newest = ended[0] ?? experimentList.data?.objects[0];
  const done = {
    model: (modelList.data?.total ?? 0) > 0,
    run: (experimentList.data?.total ?? 0) > 0,
    share: (shareList.data?.total ?? 0) > 0,
  };
  const isKnown = modelList.isSuccess && experimentList.isSuccess;
  return (
    <div className={classes.page}>
      <PageHead
        narrow={false}
        title="Overview"
        facts={unread === 0 ? [] : [<UnreadLink key="unread" count={unread} />]}
        actions={<Actions hasModel={done.model} />}
      />
      {(modelList.isPending || experimentList.isPending) && <PageSkeleton />}
      {experimentList.isError && <QueryProblem query={experimentList} what="The experiments" />}
      {modelList.isError && <QueryProblem query={modelList} what="The models" />}
      {/* Its place is reserved until it is known what is done. */}
      {isKnown && (
        <div className={classes.setup} data-pending={shareList.isLoading || undefined}>
          <SetupSteps done={done} experiment={newest} />
        </div>
      )}
      {isKnown && !done.run && !done.model && <GalleryPreview />}
      {running.length > 0 && <RunningNow experiments={running} count={numRunning} />}
      {isKnown && (done.run || done.model) && (
        <div className={classes.columns}>
          <Section title="Recent experiments" all="/experiments" total={experimentList.data.total}>
            {ended.length === 0 ? (
              <p className={classes.dim}>Nothing has finished yet.</p>
            ) : (
              <ExperimentTable experiments={ended.slice(0, shownEnded)} />
            )}
          </Section>
          <div className={classes.side}>
            {failed.length > 0 && (
              <Section title="Failed recently">
                <FailedList experiments={failed} />
              </Section>
            )}
            <Section title="Recent models" all="/models" total={modelList.data.total}>
              <ModelList models={models} />
            </Section>
            <SharedWithMe />
          </div>
        </div>
      )}
    </div>
  );
}

function UnreadLink({ count }: { count: number }) {
  return (
    <Link to="/notifications">
      {formatCount(count)} unread {count === 1 ? 'notification' : 'notifications'}
    </Link>
  );
}

/** Older failures are in the list of experiments. */
const shownFailed = 3;

function FailedList({ experiments }: { experiments: readonly Experiment[] }) {
  return (
    <ul className={classes.failed}>
      {experiments.map(({ short_id: id, name, meta, updated_at, sample_update_time }) => (
        <li key={id}>
          <IconAlertCircle size={16} aria-hidden="true" />
          <div>
            <Link to="/experiments/$experimentId" params={{ experimentId: id }}>
              {name || id}
            </Link>
            <p>
              <CodeText>
                {meta?.error?.message.split('\n')[0] ?? 'The server gives no reason.'}
              </CodeText>
            </p>
          </div>
          <span className={classes.when}>
            <RelativeTime date={updated_at ?? sample_update_time} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Actions({ hasModel }: { hasModel: boolean }) {
  return (
    <>
      <Button
        variant={hasModel ? 'default' : 'filled'}
        component={Link}
        to="/models/new"
        leftSection={<IconPlus size={16} />}
      >
        New model
      </Button>
      {hasModel && (
        <Button
          variant="filled"
          component={Link}
          to="/experiments/new"
          leftSection={<IconPlayerPlay size={16} />}
          data-floating
        >
          New experiment
        </Button>
      )}
    </>
  );
}

interface RunningNowProps {
  readonly experiments: readonly Experiment[];
  /** Including those without a card. */
  readonly count: number;
}

function RunningNow({ experiments, count }: RunningNowProps) {
  const canControl = useCapability('run_control');
  return (
    <Section title="Running now" count={count}>
      <div className={classes.running}>
        {experiments.map((experiment) => (
          <RunningCard key={experiment.short_id} experiment={experiment} canControl={canControl} />
        ))}
      </div>
    </Section>
  );
}

interface SectionProps {
  readonly title: string;
  readonly count?: number;
  readonly all?: '/experiments' | '/models' | '/shares';
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
        {all !== undefined && (
          <Link to={all} search={all === '/shares' ? { tab: 'with-me' } : {}}>
            All {formatCount(total)}
          </Link>
        )}
      </header>
      {children}
    </section>
  );
}

function ExperimentTable({ experiments }: { experiments: readonly Experiment[] }) {
  return (
    <Card as="div" className={classes.tableCard}>
      <table>
        <thead>
          <tr>
            <th>Status</th>
            <th>Name</th>
            <th>Verdict</th>
            <th className={classes.wide}>R-hat max</th>
            <th className={classes.wide}>ESS min</th>
            <th>Updated</th>
          </tr>
        </thead>
        <tbody>
          {experiments.map((experiment) => {
            const { rhatMax, essMin } = judgeNumbers(experiment);
            return (
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
                  <JudgedValue number={rhatMax} format={rhatFigure} />
                </td>
                <td className={classes.wide}>
                  <JudgedValue
                    number={essMin}
                    format={(value) => essFigure(value, experiment.n_chains)}
                  />
                </td>
                <td>
                  <RelativeTime date={experiment.updated_at ?? experiment.sample_update_time} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}

function ModelList({ models }: { models: readonly Model[] }) {
  if (models.length === 0) return <p className={classes.dim}>No model yet.</p>;
  return (
    <Card as="ul" className={classes.models}>
      {models.map((model) => (
        <li key={model.short_id}>
          <IconFileCode size={16} aria-hidden="true" />
          <Link to="/models/$modelId" params={{ modelId: model.short_id }}>
            {model.name || model.short_id}
          </Link>
          {model.version !== undefined && <span className={classes.version}>v{model.version}</span>}
          <span className={classes.when}>
            <RelativeTime date={model.updated_at} />
          </span>
        </li>
      ))}
    </Card>
  );
}

/** Nothing at all until somebody has shared something. */
function SharedWithMe() {
  const client = useClient();
  const shared = useQuery(
    objectListQueryOptions(client, 'experiment', { shared_with_me: true, page_size: 5 }),
  ).data;
  if (shared === undefined || shared.objects.length === 0) return null;
  return (
    <Section title="Shared with me" all="/shares" total={shared.total}>
      <Card as="ul" className={classes.models}>
        {shared.objects.map((experiment) => (
          <li key={experiment.short_id}>
            <IconShare3 size={16} aria-hidden="true" />
            <Link to={sharePath(experiment)}>{experiment.name || experiment.short_id}</Link>
            <span className={classes.when}>
              {experiment.owner?.replace(/\(@\d+\)$/, '')}{' '}
              <RelativeTime date={experiment.sample_update_time} />
            </span>
          </li>
        ))}
      </Card>
    </Section>
  );
}

function sharePath({ short_id, share_info }: Experiment): string {
  const share = share_info?.at(0);
  return share === undefined ? `/experiments/${short_id}` : `/s/${short_id}/${share.short_id}`;
}
