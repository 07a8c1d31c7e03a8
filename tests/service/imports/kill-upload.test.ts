/**
 * SIGKILL of the service in the middle of an upload, and of the worker in the middle of its import: what was acknowledged
 * is on the disk, the same call continues by itself, and the draws are stored once and completely.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { sendFile } from '../../../src/client/send-file.ts';
import { BRIEFLY, createPauses } from '../../support/pauses.ts';
import { descendantOf } from '../../support/processes.ts';
import { launch, makeReadyFolder } from '../../support/served.ts';
import { holdDraws, killWorker } from '../../support/served-runs.ts';

const numRows = 900_000;
const content = Buffer.from(
  `lp__,mu,tau\n${Array.from({ length: numRows }, (_, i) => `-${i % 97}.25,0.${i + 1e6},${i}`).join('\n')}\n`,
);
const pieceBytes = 2 ** 20;
const MAX_WAIT_MS = 120_000;

const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + MAX_WAIT_MS;
  const pause = createPauses(BRIEFLY);
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error('not within its time');
    await pause();
  }
}

it('an upload survives kills: its file is identical, and its draws are stored once', async () => {
  const dataDir = await makeReadyFolder();
  const served = await launch({ dataDir }).ready;
  const client = createClient({ baseUrl: served.origin, token: served.token, fetch });
  /** The end of the largest piece that was acknowledged. */
  let acknowledged = 0;
  const watched: Client = {
    ...client,
    async appendUpload(input) {
      const upload = await client.appendUpload(input);
      acknowledged = Math.max(acknowledged, upload.offset);
      return upload;
    },
  };
  let isKilled = false;
  const waits: string[] = [];
  const file = {
    name: 'draws.csv',
    size: content.length,
    fingerprint: 'f',
    slice: (from: number, to: number) => new Blob([new Uint8Array(content.subarray(from, to))]),
  };
  const upload = await sendFile(watched, file, {
    pieceBytes,
    signal: new AbortController().signal,
    onProgress(bytes) {
      if (isKilled || bytes < content.length / 3) return;
      isKilled = true;
      process.kill(descendantOf(served.process.pid as number, 'service.js'), 'SIGKILL');
    },
    onWaiting: (reason) => waits.push(reason ?? 'again'),
    async wait() {
      // the service that comes back has what it acknowledged
      const uploads = await until(() => client.listUploads().catch(() => null));
      expect(uploads).toHaveLength(1);
      expect(uploads[0].offset).toBeGreaterThanOrEqual(acknowledged);
      expect(acknowledged).toBeGreaterThan(0);
    },
  });
  expect(isKilled).toBe(true);
  expect(waits.at(-1)).toBe('again');
  const stored = path.join(dataDir, 'files', 'uploads', upload.upload_id);
  expect(sha(fs.readFileSync(stored))).toBe(sha(content));

  // however fast the import is, the worker is killed before its end
  const release = await holdDraws(dataDir);
  const made = expectKind(
    await client.createObject({
      body: { payload: { object_type: 'experiment', data_uploads: [upload.upload_id] } },
    }),
    'experiment',
  );
  const params = { objid: made.short_id };
  const look = async () => expectKind(await client.viewObject({ params }), 'experiment');
  const seen = await until(async () => {
    const now = await look();
    return now.meta?.progress || now.status !== 'RUN' ? now : null;
  });
  expect(seen).toMatchObject({ status: 'RUN', n_samples: 0 });
  expect(seen.meta?.progress?.total).toBeGreaterThan(0);
  await killWorker(dataDir);
  await release();
  const ended = await until(async () => {
    const now = await look();
    return now.status === 'RUN' ? null : now;
  });
  expect(ended).toMatchObject({ status: 'FIN', n_chains: 1, n_samples: numRows });
  expect(fs.existsSync(stored)).toBe(false);
  expect(await client.listUploads()).toEqual([]);
}, 300_000);
