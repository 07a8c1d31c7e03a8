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

const sentences: Readonly<Record<ProgramAbsence, string>> = {
  imported: 'Imported draws cannot be rerun.',
  deleted: 'Its model was deleted, so this run cannot be repeated.',
  shared: 'Only its owner can run this again.',
};

/** Why a run that has neither model nor workflow cannot be repeated. */
export function notRerunText(experiment: Experiment): string {
  return sentences[programAbsence(experiment) ?? 'deleted'];
}
