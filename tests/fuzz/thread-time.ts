/** Processor time of this thread, which a busy machine does not lengthen. */
import fs from 'node:fs';

const own = `/proc/self/task/${process.pid}/schedstat`;
const hasOwn = fs.existsSync(own);

/** Milliseconds this process's main thread has run; wall-clock time except on Linux. */
export const threadMs = (): number =>
  hasOwn ? Number(fs.readFileSync(own, 'utf8').split(' ')[0]) / 1e6 : performance.now();
