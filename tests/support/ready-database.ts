/**
 * The embedded database of a new data folder, made once and copied: `initdb` and the migrations take a second of processor
 * time and wait for the disk a thousand times. Only tests of the first start begin without it.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openStore } from '../../src/service/open-store.ts';
import { findBinaries } from '../../src/service/postgres/binaries.ts';
import { currentIdentity } from '../../src/service/postgres/identity.ts';
import { findPlace } from '../../src/service/postgres/place.ts';
import { makeSharedFolder, schemaHash, sharedFolder } from './shared-folder.ts';

const say = () => {};

/** Puts a migrated database into `dataDir`, which must be unused. */
export async function putReadyDatabase(dataDir: string): Promise<void> {
  const identity = currentIdentity();
  const place = findPlace(dataDir, identity, say);
  const { major } = findBinaries(place.home, identity, say);
  const master = path.join(sharedFolder, `ready-${major}-${schemaHash}`);
  if (!fs.existsSync(master)) await makeMaster(master);
  // with its owner, which may be a different user
  execFileSync('cp', ['-a', master, place.cluster]);
}

/** Two processes may make it simultaneously; the first to finish wins. */
async function makeMaster(master: string): Promise<void> {
  makeSharedFolder();
  const dataDir = fs.mkdtempSync(path.join(sharedFolder, 'making-'));
  fs.chmodSync(dataDir, 0o711);
  try {
    const store = await openStore({ dataDir, databaseUrl: '', what: 'tests', say });
    await store.close();
    fs.renameSync(findPlace(dataDir, currentIdentity(), say).cluster, master);
  } catch (error) {
    if (!fs.existsSync(master)) throw error;
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}
