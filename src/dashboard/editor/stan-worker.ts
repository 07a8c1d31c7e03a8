/** Worker that runs the language service, so that no check ever holds up typing. */
import type { FromWorker, Questions, ToWorker } from './stan-protocol.ts';
import { StanWorkspace } from './stan-workspace.ts';

const workspace = new StanWorkspace();
const send = (message: FromWorker) => self.postMessage(message);
let pending: ReturnType<typeof setTimeout> | undefined;

/** Changes that come in one burst are checked once. */
const quietMs = 40;

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'files') {
    workspace.setFiles(data);
    clearTimeout(pending);
    pending = setTimeout(() => send({ type: 'problems', ...workspace.problems() }), quietMs);
    return;
  }
  const { id } = data;
  try {
    send({
      type: 'answer',
      id,
      answer: workspace.answer(data.name, data.ask as Questions['hover']['ask']),
    });
  } catch (error) {
    send({ type: 'failure', id, message: String(error) });
  }
});
