/** The entry point of the built worker, which runs chains of a Stan program one after another. */
import { boundArrays } from './node-array-bound.ts';
import { serveParentPort } from './node-parent-port.ts';
import { createStanModelMaker } from './stan-model.ts';

const makeModel = createStanModelMaker();

serveParentPort((task, hooks, again) => {
  boundArrays(hooks.limits.arrayBytes);
  return makeModel(task, hooks, again);
});
