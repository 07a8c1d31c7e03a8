/** `/run`: the address `run_model_url` names. */

import type { WebContext } from '../context.ts';
import type { Handlers } from '../http/call.ts';
import { applyRunCommand } from '../outside-runners/run-commands.ts';

export function runProxyHandlers(context: WebContext): Pick<Handlers, 'runProxy'> {
  return { runProxy: ({ body, viewer }) => applyRunCommand(context, body, viewer) };
}
