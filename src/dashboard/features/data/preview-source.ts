/** A document to look into: small ones here, larger ones in a worker, so that reading 16 MB never holds the page up. */
import type { Branch, BranchQuestion } from '../../ui/json-branch.ts';
import {
  PreviewDocument,
  type PreviewSummary,
  type TableInfo,
  type TableWindow,
} from './preview-document.ts';

/** What can be asked, and what is answered. */
export interface PreviewQuestions {
  open: { ask: { bytes: Uint8Array; fmt: string }; answer: PreviewSummary };
  table: { ask: string; answer: TableInfo | null };
  cells: { ask: TableWindow; answer: string[][] };
  branch: { ask: BranchQuestion; answer: Branch };
}
export type PreviewQuestion = {
  [Q in keyof PreviewQuestions]: { readonly kind: Q; readonly ask: PreviewQuestions[Q]['ask'] };
}[keyof PreviewQuestions];

export interface PreviewSource {
  readonly ask: <Q extends keyof PreviewQuestions>(
    kind: Q,
    ask: PreviewQuestions[Q]['ask'],
  ) => Promise<PreviewQuestions[Q]['answer']>;
  readonly close: () => void;
}

/** One document; the first question opens it. Bytes that are no UTF-8 throw a `TypeError`. */
export function createAnswers(): (question: PreviewQuestion) => unknown {
  let document: PreviewDocument | null = null;
  return (question) => {
    if (question.kind === 'open') {
      const { bytes, fmt } = question.ask;
      document = new PreviewDocument(new TextDecoder('utf-8', { fatal: true }).decode(bytes), fmt);
      return document.summary;
    }
    if (document === null) throw new Error('No document is open.');
    if (question.kind === 'table') return document.table(question.ask);
    if (question.kind === 'cells') return document.cells(question.ask);
    return document.branch(question.ask);
  };
}

/** What is read within a frame. */
const smallBytes = 256 * 1024;

export function createPreviewSource(size: number): PreviewSource {
  return size <= smallBytes || !('Worker' in globalThis) ? localSource() : workerSource();
}

function localSource(): PreviewSource {
  const answer = createAnswers();
  return {
    // What goes wrong is a rejection, as it is in a worker.
    ask: (async (kind: never, ask: never) => answer({ kind, ask })) as PreviewSource['ask'],
    close: () => undefined,
  };
}

export interface WorkerAnswer {
  readonly id: number;
  readonly answer?: unknown;
  readonly problem?: string;
}

function workerSource(): PreviewSource {
  const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, (answer: WorkerAnswer) => void>();
  let asked = 0;
  worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  const failAll = () => {
    for (const [id, settle] of waiting) settle({ id, problem: 'The content could not be read.' });
    waiting.clear();
  };
  worker.onerror = failAll;
  const ask = (kind: string, question: unknown) =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, ({ answer, problem }) =>
        problem === undefined ? resolve(answer) : reject(new Error(problem)),
      );
      worker.postMessage({ id, kind, ask: question });
    });
  return {
    ask: ask as PreviewSource['ask'],
    close: () => {
      worker.terminate();
      failAll();
    },
  };
}
