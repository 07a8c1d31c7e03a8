/** `/run`: the address `run_model_url` names. */
import type { Handlers } from '../http/call.ts';
import { obeyRunCommand } from '../runners/run-commands.ts';
import type { ServiceContext } from '../service-deps.ts';

export function runProxyHandlers(context: ServiceContext): Pick<Handlers, 'runProxy'> {
  return { runProxy: ({ body, viewer }) => obeyRunCommand(context, body, viewer) };
}
