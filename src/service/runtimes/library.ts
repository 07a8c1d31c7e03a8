/** Modules that programs of other languages find in their sandbox. */
import pythonClient from '../../formats/package-files/ergodic.py?raw';

/** Texts by path under the library folder. */
export const libraryFiles: Readonly<Record<string, string>> = { 'ergodic.py': pythonClient };
