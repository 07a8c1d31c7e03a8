/** What reading threads do: each task is a function of what it is sent. Runs in a thread, never beside the event loop. */
import { kindOfId } from '../../contract/common.ts';
import { formatOf } from '../content/data-format.ts';
import { withPackageSections } from '../content/package-settings.ts';
import { readSettingsText } from '../content/settings-text.ts';
import { parseLargeBody } from '../http/json-body.ts';
import type { ReadingWork } from '../reading/reading-work.ts';
import { checkRunData } from '../runs/program.ts';
import { prepareBody } from './prepared-body.ts';

export const readingTasks: ReadingWork = {
  body: ({ blocks, objid }) => prepareBody(parseLargeBody(Buffer.concat(blocks)), kindOfId(objid)),
  dataFormat: ({ bytes }) => formatOf(bytes),
  runData: ({ bytes, fmt }) => checkRunData(bytes, fmt),
  packageSettings: ({ text }) => withPackageSections(text),
  settings: ({ text }) => readSettingsText(text),
};
