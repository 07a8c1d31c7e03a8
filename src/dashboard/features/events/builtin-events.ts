/** The meaning of the events that a server fires itself, and the parameters of their calls. */
import { builtinEvents } from '../../../contract/relations.ts';

type BuiltinEvent = (typeof builtinEvents)[number];

const texts: Readonly<Record<BuiltinEvent, { when: string; parameters: string }>> = {
  'experiment.finished': {
    when: 'Fires when one of your experiments has finished.',
    parameters: 'experiment_id, batch_id, run_id, n_iteration, message',
  },
  'experiment.failed': {
    when: 'Fires when one of your experiments has failed; the message says why.',
    parameters: 'experiment_id, batch_id, run_id, n_iteration, message',
  },
  'experiment.every_n_samples': {
    when: 'Fires for each chain after every n saved draws. The relation sets n (1 000 by default).',
    parameters: 'experiment_id, batch_id, run_id, chain_name, n_iteration',
  },
  'share.received': {
    when: 'Fires when somebody shares something with your user name.',
    parameters: 'object_id, message',
  },
};

function isBuiltin(name: string): name is BuiltinEvent {
  return (builtinEvents as readonly string[]).includes(name);
}

/** Null for users' own events. */
export function builtinText(event: { readonly name: string; readonly tags?: readonly string[] }) {
  if (event.tags?.includes('builtin') !== true || !isBuiltin(event.name)) return null;
  return texts[event.name];
}

/** The one whose relations set the number of draws between two calls. */
export const everyNSamples: BuiltinEvent = 'experiment.every_n_samples';
