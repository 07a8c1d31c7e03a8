/** All kinds of objects, one row each. */
import type { ObjectKind } from '../../contract/common.ts';
import { callback } from './callback.ts';
import { data } from './data.ts';
import { event } from './event.ts';
import { experiment } from './experiment/experiment.ts';
import type { Kind } from './kind.ts';
import { model } from './model/model.ts';
import { createProjectKind } from './project.ts';
import { relation } from './relation.ts';
import { createShareKind } from './share.ts';
import { workflow } from './workflow.ts';

const project = createProjectKind({ model, data, experiment });

const kinds: { readonly [K in ObjectKind]: Kind<K> } = {
  model,
  data,
  experiment,
  workflow,
  share: createShareKind({ model, experiment, workflow, project }),
  event,
  callback,
  relation,
  project,
};

/** The row of a kind, for callers that handle any kind: the payload's type or the id chose it, so the types match. */
export function kindNamed(name: ObjectKind): Kind {
  return kinds[name] as Kind;
}
