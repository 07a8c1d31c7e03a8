/** The parts of a workflow and what flows where: model and data into sampling, sampling into an experiment. */
import {
  IconAdjustmentsHorizontal,
  IconChartLine,
  IconDatabase,
  IconFileCode,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import type { Workflow } from '../../../contract/workflow.ts';
import classes from './workflows.module.css';

export interface FlowPictureProps {
  readonly workflow: Workflow;
  /** "4 chains × (1 000 + 1 000)". */
  readonly sampling: string;
}

export function FlowPicture({ workflow, sampling }: FlowPictureProps) {
  const { model_id, model_name, data_id, data_name, experiment_id, experiment_name } = workflow;
  return (
    <section className={classes.flow} aria-label="Parts">
      <div className={classes.inputs}>
        <Part title="Model" icon={IconFileCode} to={model_id ? `/models/${model_id}` : null}>
          {model_id ? model_name || model_id : 'None: it cannot run'}
        </Part>
        <Part title="Data" icon={IconDatabase} to={data_id ? `/data/${data_id}` : null}>
          {data_id ? data_name || data_id : 'None'}
        </Part>
      </div>
      <svg
        className={classes.wires}
        viewBox="0 0 48 144"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d="M0 30 C30 30 14 72 44 72 M0 114 C30 114 14 72 44 72" />
      </svg>
      <Part title="Sampling" icon={IconAdjustmentsHorizontal} to={null} isMarked>
        {sampling}
      </Part>
      <svg
        className={classes.wires}
        viewBox="0 0 48 144"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d="M0 72 H44" />
      </svg>
      <Part
        title="Experiment"
        icon={IconChartLine}
        to={experiment_id ? `/experiments/${experiment_id}` : null}
      >
        {experiment_id ? experiment_name || experiment_id : 'Not run yet'}
      </Part>
    </section>
  );
}

interface PartProps {
  readonly title: string;
  readonly icon: ComponentType<{ size: number; stroke: number }>;
  readonly to: string | null;
  readonly isMarked?: boolean;
  readonly children: ReactNode;
}

function Part({ title, icon: Icon, to, isMarked = false, children }: PartProps) {
  const content = (
    <>
      <strong>
        <Icon size={16} stroke={1.6} />
        {title}
      </strong>
      {children}
    </>
  );
  if (to === null) {
    return (
      <div className={classes.part} data-marked={isMarked || undefined}>
        {content}
      </div>
    );
  }
  return (
    <Link to={to} className={classes.part}>
      {content}
    </Link>
  );
}
