/** Modules that programs of other languages find in their sandbox. */
import { pythonClient } from '../../formats/python-client.ts';

/** Texts by path under the library folder. */
export const libraryFiles: Readonly<Record<string, string>> = { 'ergodic.py': pythonClient };
