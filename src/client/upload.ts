/** Sends a request with XMLHttpRequest, since fetch does not report how much of a body has been sent. */

/** Bytes of the body sent so far, and their total. */
export type OnUpload = (sent: number, total: number) => void;

export interface UploadRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Blob;
  readonly signal: AbortSignal;
}

/** Sends an upload: {@link sendUpload}, or nothing if there is no XMLHttpRequest (Node, tests with their own `fetch`). */
export type UploadSender = (
  address: string,
  request: UploadRequest,
  onUpload: OnUpload,
) => Promise<Response>;

/** Rejects as fetch does: `TypeError` when the network fails, the signal's reason when it aborts. */
export const sendUpload: UploadSender = (address, { method, headers, body, signal }, onUpload) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onUpload(loaded, total);
    const abort = () => {
      request.abort();
      reject(signal.reason as Error);
    };
    const end = (settle: () => void) => () => {
      signal.removeEventListener('abort', abort);
      settle();
    };
    request.onerror = end(() => reject(new TypeError('The network failed.')));
    request.onload = end(() => {
      const { status, statusText } = request;
      const isEmpty = status === 204 || status === 205 || status === 304;
      const response = new Response(isEmpty ? null : (request.response as ArrayBuffer), {
        status,
        statusText,
        headers: readHeaders(request.getAllResponseHeaders()),
      });
      resolve(response);
    });
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    request.send(body);
  });

function readHeaders(text: string): Headers {
  const headers = new Headers();
  for (const line of text.trim().split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}
