/** Reads a document to preview: small ones here, larger ones in a worker, so that 16 MB never block the page. */

import { decodeText } from '../../../formats/decode-text.ts';
import { type Answers, callWorker, type WorkerCall } from '../../threads/call-worker.ts';
import type { Branch, BranchQuestion } from '../../ui/json-branch.ts';
import {
  PreviewDocument,
  type PreviewSummary,
  type TableInfo,
  type TableWindow,
} from './preview-document.ts';

/** The questions and their answers; the first question opens the document. */
export interface PreviewQuestions {
  open: { ask: { bytes: Uint8Array; fmt: string }; answer: PreviewSummary };
  table: { ask: string; answer: TableInfo | null };
  cells: { ask: TableWindow; answer: string[][] };
  branch: { ask: BranchQuestion; answer: Branch };
}

export type PreviewSource = Pick<WorkerCall<PreviewQuestions>, 'ask' | 'stop'>;

/** One document. Throws a `TypeError` for bytes that are not text. */
export function createAnswers(): Answers<PreviewQuestions> {
  let document: PreviewDocument | null = null;
  const opened = () => {
    if (document === null) throw new Error('No document is open.');
    return document;
  };
  return {
    open: ({ bytes, fmt }) => {
      const decoded = decodeText(bytes);
      if (decoded === null) throw new TypeError('The bytes are not text.');
      document = new PreviewDocument(decoded.text, fmt);
      return document.summary;
    },
    table: (path) => opened().table(path),
    cells: (wanted) => opened().cells(wanted),
    branch: (question) => opened().branch(question),
  };
}

/** Size that can be read in one frame. */
const smallBytes = 256 * 1024;

export function createPreviewSource(size: number): PreviewSource {
  return size <= smallBytes || !('Worker' in globalThis) ? localSource() : workerSource();
}

function localSource(): PreviewSource {
  const answers = createAnswers();
  return {
    // Errors become rejections, as in a worker.
    ask: async (name, ask) => answers[name](ask),
    stop: () => undefined,
  };
}

function workerSource(): PreviewSource {
  return callWorker<PreviewQuestions>({
    make: () => new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' }),
    ended: 'The content could not be read.',
  });
}
