/** `/run`: the address `run_model_url` names. */
import type { Handlers } from '../http/call.ts';
import { notSupported } from '../http/service-error.ts';
import type { ServiceContext } from '../service-deps.ts';

export function runProxyHandlers(_context: ServiceContext): Pick<Handlers, 'runProxy'> {
  return {
    runProxy: async () => {
      throw notSupported('Commands of runners are not here yet.');
    },
  };
}
