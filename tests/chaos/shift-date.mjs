/** Loaded into the service with `--import`: `Date` runs ahead by the number of seconds in a file. */
import fs from 'node:fs';

const file = process.env.ERGODIC_TEST_CLOCK ?? '';
const RealDate = Date;
let aheadMs = 0;

const read = () => {
  try {
    aheadMs = Number(fs.readFileSync(file, 'utf8')) * 1000 || 0;
  } catch {
    // The harness has ended.
  }
};
read();
setInterval(read, 250).unref();

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + aheadMs);
    else super(...args);
  }
  static now() {
    return RealDate.now() + aheadMs;
  }
};
