/** The entry of the built worker that runs one chain of a Stan program. */
import { serveParentPort } from './node-parent-port.ts';
import { makeStanModel } from './stan-model.ts';

serveParentPort(makeStanModel);
