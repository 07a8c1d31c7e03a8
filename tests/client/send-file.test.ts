/** Files in pieces: resumed from what the server has, whatever was lost on the way. */
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/api-error.ts';
import type { Client } from '../../src/client/create-client.ts';
import { type SendOptions, sendFile } from '../../src/client/send-file.ts';
import type { Upload } from '../../src/contract/upload.ts';

const content = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 251);
const file = {
  name: 'a.csv',
  size: content.length,
  fingerprint: 'f',
  slice: (from: number, to: number) => new Blob([content.slice(from, to)]),
};
const lost = () => new ApiError('network', 'The server cannot be reached.');

interface Fault {
  /** The piece arrives nevertheless: only its answer is lost. */
  readonly arrives: boolean;
  readonly error: ApiError;
}

/** A server that already has `begun` bytes; the pieces whose number is in `faults` fail. */
function createServer({ begun = 0, faults = new Map<number, Fault>() } = {}) {
  const bytes = [...content.subarray(0, begun)];
  const pieces: number[] = [];
  let calls = 0;
  let exists = begun > 0;
  const upload = (): Upload => ({
    upload_id: 'u',
    name: 'a.csv',
    size: content.length,
    offset: bytes.length,
    fingerprint: 'f',
    expires_at: '2026-01-01T00:00:00Z',
  });
  const client = {
    listUploads: async () => (exists ? [{ ...upload(), name: 'other.csv' }, upload()] : []),
    createUpload: async () => {
      exists = true;
      return upload();
    },
    appendUpload: async (input: { query: { offset: number }; body: Blob }) => {
      calls += 1;
      const fault = faults.get(calls);
      if (fault?.arrives === false) throw fault.error;
      const { offset } = input.query;
      if (offset !== bytes.length)
        throw new ApiError('http', 'elsewhere', {
          status: 400,
          code: 'CONFLICT',
          details: { offset: bytes.length },
        });
      pieces.push(input.body.size);
      bytes.push(...new Uint8Array(await input.body.arrayBuffer()));
      if (fault !== undefined) throw fault.error;
      return upload();
    },
  };
  return { client: client as unknown as Client, bytes, pieces, calls: () => calls };
}

const options = (more: Partial<SendOptions> = {}): SendOptions => ({
  pieceBytes: 1000,
  signal: new AbortController().signal,
  wait: async () => {},
  ...more,
});

describe('a file', () => {
  it('is sent in pieces, with its progress reported', async () => {
    const server = createServer();
    const seen: number[] = [];
    const upload = await sendFile(
      server.client,
      file,
      options({ onProgress: (n) => seen.push(n) }),
    );
    expect(upload.offset).toBe(5000);
    expect(server.bytes).toEqual([...content]);
    expect(server.pieces).toEqual([1000, 1000, 1000, 1000, 1000]);
    expect(seen).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
  });

  it('is resumed where an earlier call stopped', async () => {
    const server = createServer({ begun: 4321 });
    await sendFile(server.client, file, options());
    expect(server.bytes).toEqual([...content]);
    expect(server.pieces).toEqual([679]);
  });

  it.each([true, false])(
    'is resumed after a lost connection (piece arrived: %s)',
    async (arrives) => {
      const server = createServer({ faults: new Map([[2, { arrives, error: lost() }]]) });
      const said: (string | null)[] = [];
      await sendFile(server.client, file, options({ onWaiting: (reason) => said.push(reason) }));
      expect(server.bytes).toEqual([...content]);
      expect(said).toEqual(['The server cannot be reached.', null]);
    },
  );

  it('continues at the offset given by a conflict, when another page sends the same file', async () => {
    const server = createServer();
    let isOther = true;
    const client: Client = {
      ...server.client,
      async appendUpload(input) {
        if (isOther && input.query?.offset === 1000) {
          isOther = false;
          await server.client.appendUpload(input);
        }
        return server.client.appendUpload(input);
      },
    };
    await sendFile(client, file, options());
    expect(server.bytes).toEqual([...content]);
  });

  it('is retried after growing waits, or as long a wait as the server asks for', async () => {
    const busy = (seconds: number | null) =>
      new ApiError('http', 'busy', { status: 503, retryAfterSeconds: seconds });
    const faults = new Map(
      [null, null, null, 20].map((seconds, i) => [i + 1, { arrives: false, error: busy(seconds) }]),
    );
    const server = createServer({ faults });
    const waits: number[] = [];
    await sendFile(
      server.client,
      file,
      options({
        async wait(milliseconds) {
          waits.push(milliseconds);
        },
      }),
    );
    expect(waits[0]).toBe(500);
    expect(Math.max(...waits)).toBe(20_000);
  });

  it.each([
    [
      'a full disk',
      new ApiError('http', 'full', { status: 503, details: { reason: 'disk_full' } }),
    ],
    ['a refusal', new ApiError('http', 'no', { status: 400, code: 'NOT_FOUND' })],
  ])('is not retried after %s', async (_, error) => {
    const server = createServer({ faults: new Map([[1, { arrives: false, error }]]) });
    await expect(sendFile(server.client, file, options())).rejects.toBe(error);
    expect(server.calls()).toBe(1);
  });

  it('that became shorter while it was sent is rejected', async () => {
    const cut = {
      ...file,
      slice: (from: number, to: number) => file.slice(from, Math.min(to, 1500)),
    };
    await expect(sendFile(createServer().client, cut, options())).rejects.toThrow(
      'a.csv became shorter while it was sent.',
    );
  });

  it('is no longer sent once the call is aborted', async () => {
    const abort = new AbortController();
    const server = createServer();
    const stopping = options({
      signal: abort.signal,
      onProgress: (bytes) => bytes >= 2000 && abort.abort(),
    });
    await expect(sendFile(server.client, file, stopping)).rejects.toThrow(/abort/);
    expect(server.bytes.length).toBeLessThan(content.length);
  });
});
