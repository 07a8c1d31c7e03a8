/** The tasks of reading threads: each is a function of the message it is sent. Never runs in the main thread. */
import { kindOfId } from '../../contract/common.ts';
import { formatOf } from '../content/data-format.ts';
import { readFilesContent } from '../content/model-content.ts';
import { withPackageSections } from '../content/package-settings.ts';
import { readSettingsText } from '../content/settings-text.ts';
import { readArchive } from '../fetching/read-archive.ts';
import { parseLargeBody } from '../http/json-body.ts';
import type { ReadingWork } from '../reading/reading-work.ts';
import { describeProgram } from '../runs/check-program.ts';
import { checkRunData } from '../runs/program.ts';
import { prepareBody } from './prepared-body.ts';

export const readingTasks: ReadingWork = {
  body: ({ blocks, objid }) => prepareBody(parseLargeBody(Buffer.concat(blocks)), kindOfId(objid)),
  archive: ({ bytes }) => readArchive(bytes),
  filesContent: ({ files, entrance }) => readFilesContent(files, entrance),
  isJson: ({ text }) => isJson(text),
  dataFormat: ({ bytes }) => formatOf(bytes),
  runData: ({ bytes, fmt }) => checkRunData(bytes, fmt),
  checkProgram: (program) => describeProgram(program),
  packageSettings: ({ text }) => withPackageSections(text),
  settings: ({ text }) => readSettingsText(text),
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
