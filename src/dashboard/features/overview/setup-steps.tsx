/** Three steps for a new user; one quiet line once they are done, until it is hidden. */
import { Anchor, Button } from '@mantine/core';
import { IconCheck, IconCircleCheck, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Experiment } from '../../../contract/experiment.ts';
import { Card } from '../../ui/card.tsx';
import classes from './overview.module.css';

export interface StepsDone {
  readonly model: boolean;
  readonly run: boolean;
  readonly share: boolean;
}

const hiddenKey = 'ergodic.steps';

/** Whether the line of completed steps was dismissed; then nothing needs to be fetched for it. */
export function areStepsHidden(): boolean {
  return localStorage.getItem(hiddenKey) === 'hidden';
}

export interface SetupStepsProps {
  readonly done: StepsDone;
  /** The newest experiment, to share. */
  readonly experiment: Experiment | undefined;
}

export function SetupSteps({ done, experiment }: SetupStepsProps) {
  const [isHidden, setHidden] = useState(areStepsHidden);
  if (isHidden) return null;
  if (done.model && done.run) {
    const hide = () => {
      localStorage.setItem(hiddenKey, 'hidden');
      setHidden(true);
    };
    return <DoneLine done={done} experiment={experiment} onHide={hide} />;
  }
  const steps = [
    {
      isDone: done.model,
      title: 'Pick a model',
      text: 'Take one from the gallery, with its data, or bring your own.',
      action: <Link to="/models/new">Open the gallery</Link>,
    },
    {
      isDone: done.run,
      title: 'Run it',
      text: 'Four chains start on this server; you watch them as they go.',
      action: done.model ? <Link to="/experiments/new">New experiment</Link> : null,
    },
    {
      isDone: done.share,
      title: 'Share a result',
      text: 'A link with a password shows a colleague exactly what you saw.',
      action:
        experiment === undefined ? null : (
          <Link to="/experiments/$experimentId" params={{ experimentId: experiment.short_id }}>
            Open “{experiment.name || experiment.short_id}”
          </Link>
        ),
    },
  ];
  return (
    <Card as="ol" className={classes.steps} aria-label="First steps">
      {steps.map((step, index) => (
        <li key={step.title} data-done={step.isDone || undefined}>
          <span className={classes.number}>
            {step.isDone ? (
              <IconCheck size={14} style={{ strokeWidth: 2 }} aria-label="done" />
            ) : (
              index + 1
            )}
          </span>
          <div>
            <h2>{step.title}</h2>
            <p>{step.text}</p>
            {!step.isDone && step.action}
          </div>
        </li>
      ))}
    </Card>
  );
}

interface DoneLineProps extends SetupStepsProps {
  readonly onHide: () => void;
}

/** A user who has run a model no longer needs the steps; only a link remains. */
function DoneLine({ done, experiment, onHide }: DoneLineProps) {
  const left = done.share || experiment === undefined ? null : experiment;
  return (
    <Card className={classes.doneLine} aria-label="First steps">
      <IconCircleCheck size={18} className={classes.good} aria-hidden="true" />
      <strong>You are set up</strong>
      {['Pick a model', 'Run it', ...(done.share ? ['Share a result'] : [])].map((step) => (
        <span key={step} className={classes.doneStep}>
          <IconCheck size={14} aria-label="done" /> {step}
        </span>
      ))}
      {left !== null && (
        <Link
          to="/experiments/$experimentId"
          params={{ experimentId: left.short_id }}
          title={`Open “${left.name || left.short_id}” to share it`}
        >
          Share a result
        </Link>
      )}
      <span className={classes.doneActions}>
        <Anchor component={Link} to="/models/new" fz="sm" fw={500}>
          Browse the gallery
        </Anchor>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={onHide}
        >
          Hide
        </Button>
      </span>
    </Card>
  );
}
