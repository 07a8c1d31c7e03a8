/** The entry of the built worker that runs one chain of a Stan program. */
import { boundArrays } from './node-array-bound.ts';
import { serveParentPort } from './node-parent-port.ts';
import { makeStanModel } from './stan-model.ts';

serveParentPort((task, hooks) => {
  boundArrays(hooks.limits.arrayBytes);
  return makeStanModel(task, hooks);
});
