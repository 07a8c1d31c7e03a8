/** The thread that reads one file of draws and ends. */
import { readSampleFile, type SampleFileRequest } from './read-sample-file.ts';

/** What it answers; a failure in words, since errors lose their kind between threads. */
export type SampleAnswer =
  | { readonly ok: true; readonly file: Awaited<ReturnType<typeof readSampleFile>> }
  | { readonly ok: false; readonly message: string };

const thread = self as unknown as {
  onmessage: ((event: MessageEvent<SampleFileRequest>) => void) | null;
  postMessage: (answer: SampleAnswer, transfer: Transferable[]) => void;
};

thread.onmessage = (event) => {
  readSampleFile(event.data).then(
    (file) =>
      thread.postMessage(
        { ok: true, file },
        file.columns.map((column) => column.values.buffer as ArrayBuffer),
      ),
    (error: unknown) =>
      thread.postMessage(
        { ok: false, message: error instanceof Error ? error.message : String(error) },
        [],
      ),
  );
};
