/** Worker that runs the language service, so that no check ever holds up typing. */
import { serveQuestions } from '../threads/serve-questions.ts';
import type { Problems, StanQuestions } from './stan-protocol.ts';
import { StanWorkspace } from './stan-workspace.ts';

const workspace = new StanWorkspace();
let waiting: { timer: ReturnType<typeof setTimeout>; give: (problems: null) => void } | null = null;

/** Changes that come in one burst are checked once. */
const quietMs = 40;

serveQuestions<StanQuestions>({
  files: (changes) => {
    workspace.setFiles(changes);
    if (waiting !== null) {
      clearTimeout(waiting.timer);
      waiting.give(null);
    }
    return new Promise<Problems | null>((give) => {
      const check = () => {
        waiting = null;
        give(workspace.problems());
      };
      waiting = { timer: setTimeout(check, quietMs), give };
    });
  },
  hover: (ask) => workspace.answer('hover', ask),
  complete: (ask) => workspace.answer('complete', ask),
  definition: (ask) => workspace.answer('definition', ask),
  signature: (ask) => workspace.answer('signature', ask),
  occurrences: (ask) => workspace.answer('occurrences', ask),
  renamePlace: (ask) => workspace.answer('renamePlace', ask),
  rename: (ask) => workspace.answer('rename', ask),
  fixes: (ask) => workspace.answer('fixes', ask),
  fixRemoved: (ask) => workspace.answer('fixRemoved', ask),
  outline: (ask) => workspace.answer('outline', ask),
  format: (ask) => workspace.answer('format', ask),
  strict: (ask) => workspace.answer('strict', ask),
  remedies: (ask) => workspace.answer('remedies', ask),
  problems: (ask) => workspace.answer('problems', ask),
  data: (ask) => workspace.answer('data', ask),
  wanted: (ask) => workspace.answer('wanted', ask),
});
