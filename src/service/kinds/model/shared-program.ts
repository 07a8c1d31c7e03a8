/** The program that a share of an experiment includes, in the form of a model. */
import type { Experiment } from '../../../contract/experiment.ts';
import type { Model } from '../../../contract/model.ts';
import { contentMetaToWire } from '../../content/model-content.ts';
import { notFound } from '../../http/service-error.ts';
import { snapshotEntry } from '../../policy/share-snapshot.ts';
import type { Executor } from '../../repositories/database.ts';
import { findFrozen } from '../../repositories/experiments.ts';
import { findWireTree } from '../../repositories/model-trees.ts';
import type { ShareRow } from '../../repositories/shares.ts';

/** Throws NOT_FOUND when it includes none. */
export async function viewSharedProgram(db: Executor, share: ShareRow): Promise<Model> {
  const kept = await findFrozen(db, share.object_id);
  const experiment = snapshotEntry(share) as Experiment;
  if (!kept?.program) throw notFound('This share does not include a program.');
  const { tree, content_meta: meta, entrance_file: entrance, env, lang } = kept.program;
  return {
    object_type: 'model',
    id: 0,
    short_id: experiment.model_id ?? '',
    name: experiment.model_name,
    meta: {},
    tags: ['model'],
    content: { meta: contentMetaToWire(meta, entrance), tree: await findWireTree(db, tree) },
    env,
    lang,
  };
}
