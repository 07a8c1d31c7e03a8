/** A full disk: what is reported, what still works, and how it ends. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isDiskFull } from '../../../src/service/repositories/database.ts';
import { createDiskReserve, type DiskReserve } from '../../../src/service/storage/disk-reserve.ts';
import { createDiskStore } from '../../../src/service/storage/disk-store.ts';
import { itWith } from '../../support/needs.ts';
import { addData, addModel } from '../../support/objects.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

const MiB = 2 ** 20;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-disk-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('the reserve', () => {
  let free = 0;
  let reserve: DiskReserve;
  let dataDir: string;
  const sizeOf = (name: string) =>
    fs.statSync(path.join(dataDir, name), { throwIfNoEntry: false })?.size ?? null;
  beforeEach(() => {
    dataDir = fs.mkdtempSync(path.join(folder, 'data-'));
    free = 1024 * MiB;
    reserve = createDiskReserve(dataDir, () => free);
  });

  it('is created if twice its size is free, and released once', async () => {
    free = 127 * MiB;
    await reserve.refill();
    expect(sizeOf('reserve')).toBeNull();
    expect(reserve.isGivenUp()).toBe(false);
    free = 128 * MiB;
    await reserve.refill();
    expect(sizeOf('reserve')).toBe(64 * MiB);
    expect(reserve.giveUp()).toBe(true);
    expect([sizeOf('reserve'), reserve.isGivenUp()]).toEqual([null, true]);
    expect(reserve.giveUp()).toBe(false);
    // another process of this machine sees it
    expect(createDiskReserve(dataDir).isGivenUp()).toBe(true);
  });

  it('stays released until there is room again', async () => {
    await reserve.refill();
    reserve.giveUp();
    free = 100 * MiB;
    await reserve.refill();
    expect(reserve.isGivenUp()).toBe(true);
    // once something was freed, the available space has to suffice
    await reserve.refill(true);
    expect([sizeOf('reserve'), reserve.isGivenUp()]).toEqual([50 * MiB, false]);
  });

  it('is released for a database that has too little room to start', async () => {
    await reserve.refill();
    reserve.giveUpWhenFull();
    expect(reserve.isGivenUp()).toBe(false);
    free = 10 * MiB;
    reserve.giveUpWhenFull();
    expect(reserve.isGivenUp()).toBe(true);
  });

  itWith('mount', 'makes room on a disk that is really full', async () => {
    const disk = path.join(folder, 'small');
    fs.mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk], { stdio: 'ignore' });
    onTestFinished(() => void execFileSync('umount', [disk]));
    const small = createDiskReserve(disk);
    await small.refill(true);
    const files = createDiskStore(path.join(disk, 'files'));
    const error = await files.put('exports', Buffer.alloc(16 * MiB)).catch((reason) => reason);
    expect([error.code, isDiskFull(error)]).toEqual(['ENOSPC', true]);
    // nothing is left of what did not fit
    expect(fs.readdirSync(files.scratch)).toEqual([]);
    const rest = fs.openSync(path.join(disk, 'others'), 'w');
    const fillUp = () => {
      for (;;) fs.writeSync(rest, Buffer.alloc(MiB / 4));
    };
    expect(fillUp).toThrow('ENOSPC');
    expect(() => fs.writeFileSync(path.join(disk, 'more'), 'x'.repeat(MiB))).toThrow('ENOSPC');
    expect(small.giveUp()).toBe(true);
    fs.writeFileSync(path.join(disk, 'more'), 'x'.repeat(MiB));
    fs.closeSync(rest);
    await small.refill();
    expect(small.isGivenUp()).toBe(true);
  });
});

describe('a service whose database is out of disk space', () => {
  let service: TestService;
  let ada: Person;
  const query = (text: string) => service.database.pool.query(text);
  /** A fake reserve; a test's `giveUp` makes room with `empty`: the database writes again. */
  const reserve = {
    full: false,
    left: 1,
    isGivenUp: () => reserve.full,
    giveUp: (): boolean | Promise<boolean> => {
      reserve.full = true;
      return reserve.left-- > 0;
    },
    refill: async () => {
      reserve.full = false;
    },
  };
  beforeAll(async () => {
    service = await createTestService({
      reserve: {
        ...reserve,
        isGivenUp: () => reserve.full,
        giveUp: () => reserve.giveUp(),
      },
    });
    ada = await service.addPerson('ada');
    await query(`create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  });
  afterAll(() => service.close());
  const fill = () =>
    query('create trigger disk_full before insert or update on objects execute function no_room()');
  const empty = () => query('drop trigger if exists disk_full on objects');
  const message =
    /^The server's disk is full.*Delete objects.*Delete for good on the Account page\.$/;

  it('reports that the disk is full and what to remove, and can still read', async () => {
    const kept = await addModel(ada.client);
    reserve.left = 1;
    await fill();
    for (let i = 0; i < 2; i++)
      await expect(addData(ada.client)).rejects.toMatchObject({
        status: 503,
        code: 'UNAVAILABLE',
        message: expect.stringMatching(message),
      });
    expect(reserve.full).toBe(true);
    await empty();
    // room made by the reserve is only for deleting
    await expect(addData(ada.client)).rejects.toMatchObject({
      details: { reason: 'disk_full' },
    });
    expect(await ada.client.viewObject({ params: { objid: kept.short_id } })).toMatchObject({
      short_id: kept.short_id,
    });
    expect(await ada.client.viewSpace()).toBeTruthy();
    await ada.client.deleteObject({ params: { objid: kept.short_id } });
    await ada.client.freeSpace();
    expect(reserve.full).toBe(false);
    expect(await addData(ada.client)).toMatchObject({ object_type: 'data' });
  });

  it('uses the reserve to retry a deletion that failed', async () => {
    const gone = await addModel(ada.client);
    reserve.left = 1;
    const { giveUp } = reserve;
    reserve.giveUp = async () => {
      await empty();
      return giveUp();
    };
    await fill();
    await ada.client.deleteObject({ params: { objid: gone.short_id } });
    reserve.giveUp = giveUp;
    await expect(ada.client.viewObject({ params: { objid: gone.short_id } })).rejects.toMatchObject(
      { code: 'NOT_FOUND' },
    );
    await ada.client.freeSpace();
    expect(reserve.full).toBe(false);
  });

  it('uses the reserve for several deletions at once', async () => {
    const gone = [await addModel(ada.client), await addModel(ada.client)];
    reserve.left = 1;
    const { giveUp } = reserve;
    // PostgreSQL fails when two sessions drop one trigger simultaneously
    let emptied: Promise<unknown> | null = null;
    reserve.giveUp = async () => {
      emptied ??= empty();
      await emptied;
      return giveUp();
    };
    await fill();
    await Promise.all(
      gone.map(({ short_id: objid }) => ada.client.deleteObject({ params: { objid } })),
    );
    reserve.giveUp = giveUp;
    await ada.client.freeSpace();
  });

  it('reports the same if no reserve is left', async () => {
    const kept = await addModel(ada.client);
    reserve.left = 0;
    await fill();
    await expect(
      ada.client.deleteObject({ params: { objid: kept.short_id } }),
    ).rejects.toMatchObject({ message: expect.stringMatching(message) });
    await empty();
    await ada.client.freeSpace();
  });
});
