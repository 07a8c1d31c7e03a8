/** Why the program of a run is not here, and what that means for running it again. */
import type { Experiment } from '../../../contract/experiment.ts';

/** `imported`: the draws came without a program; `deleted`: its model; `shared`: its owner kept it private. */
export type ProgramAbsence = 'imported' | 'deleted' | 'shared';

/** Null: it is here. The name of the model outlives the model, and a share does not name the owner. */
export function programAbsence({
  model_id: id,
  model_name: name,
  owner,
}: Pick<Experiment, 'model_id' | 'model_name' | 'owner'>): ProgramAbsence | null {
  if (id) return null;
  if (name === '') return 'imported';
  return owner === undefined ? 'shared' : 'deleted';
}

/** Why its owner cannot repeat a run that has no workflow. */
export function notRerunText(experiment: Experiment): string {
  const absence = programAbsence(experiment);
  if (absence === 'imported') return 'Imported draws cannot be rerun.';
  return `Its ${absence === null ? 'workflow' : 'model'} was deleted.`;
}
