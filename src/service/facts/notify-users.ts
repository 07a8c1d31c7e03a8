/** Notifies the user whom a fact concerns, or each member of a team. */
import { endingOf } from '../../posterior/verdict-label.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { Executor } from '../repositories/database.ts';
import { insertNotification, type NewNotification } from '../repositories/notifications.ts';
import { listPeopleOf } from '../repositories/teams.ts';
import type { AnalysisEnded, Fact, RunEnded, SharedWithUser } from './fact.ts';

export async function notifyUsers(tx: Executor, fact: Fact): Promise<void> {
  const notification = notificationOf(fact);
  for (const userId of await listPeopleOf(tx, notification.userId))
    await insertNotification(tx, { ...notification, userId });
}

function notificationOf(fact: Fact): NewNotification {
  switch (fact.kind) {
    case 'run_ended':
      return ofRun(fact);
    case 'analysis_ended':
      return ofAnalysis(fact);
    case 'shared_with_user':
      return ofShare(fact);
    default:
      return assertNever(fact);
  }
}

/** Characters of a reason; the run's log has the complete text. */
const maxReason = 500;

function ofRun({ experiment, ending }: RunEnded): NewNotification {
  const { owner_id: userId, short_id: object, meta } = experiment;
  const name = experiment.name || object;
  const verb = 'failure' in ending ? 'failed' : 'finished';
  const title =
    'failure' in ending
      ? `${name} failed`
      : endingOf(name, meta.action === 'stopped' ? 'stopped' : 'finished', ending.verdict);
  return {
    userId,
    event: `experiment_${verb}`,
    title,
    message: 'failure' in ending ? ending.failure.slice(0, maxReason) : '',
    object,
    verb,
  };
}

function ofAnalysis({ workflow, failure }: AnalysisEnded): NewNotification {
  const name = workflow.name || workflow.short_id;
  const isDone = failure === null;
  return {
    userId: workflow.owner_id,
    event: isDone ? 'analysis_finished' : 'analysis_failed',
    title: isDone ? `The analysis of ${name} is finished` : `The analysis of ${name} failed`,
    message: isDone ? '' : failure.slice(-maxReason),
    object: workflow.short_id,
    verb: isDone ? 'finished' : 'failed',
  };
}

function ofShare({ share, userId }: SharedWithUser): NewNotification {
  const { object_kind: kind, object_name: name, object_short_id: object } = share;
  return {
    userId,
    event: 'shared_with_you',
    title: `${share.owner} shared ${kind === 'experiment' ? 'an' : 'a'} ${kind} with you`,
    message: name || object,
    object,
    verb: 'shared',
    share: share.short_id,
  };
}
