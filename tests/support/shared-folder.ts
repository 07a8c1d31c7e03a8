/** The folder that all test processes of this checkout share, for their PostgreSQL and the database that is copied. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrations } from '../../src/service/migrations/migrations.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** Not below the user's temporary folder, which PostgreSQL's user may not be able to enter. */
export const sharedFolder = path.join('/tmp', `ergodic-tests-${os.userInfo().uid}-${hash(root)}`);

/** Changes with the schema. */
export const schemaHash = hash(migrations.map(({ number, sql }) => `${number} ${sql}`).join('\n'));

export function makeSharedFolder(): void {
  fs.mkdirSync(sharedFolder, { recursive: true });
  fs.chmodSync(sharedFolder, 0o711);
}
