/** The version of this program, from package.json. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder } from './built-file.ts';

export function readVersion(): string {
  try {
    const text = readFileSync(path.join(rootFolder(), 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return '0.0.0';
  }
}
