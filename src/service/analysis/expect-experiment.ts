/** A view that must be of an experiment. */
import type { Experiment } from '../../contract/experiment.ts';
import type { View } from '../../contract/objects.ts';
import { invalidParameter } from '../http/service-error.ts';

/** Throws INVALID_PARAMETER when it is of another kind. */
export function expectExperiment(view: View): Experiment {
  if ('object_type' in view && view.object_type === 'experiment') return view;
  throw invalidParameter('experiment_id must be the id of an experiment.', {
    field: 'parameters.experiment_id',
  });
}
