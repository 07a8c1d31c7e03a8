import { describe, expect, it } from 'vitest';
import { createByteProgress } from '../../src/cli/byte-progress.ts';

function open(isTTY: boolean) {
  let text = '';
  let time = 0;
  const stream = { isTTY, write: (more: string) => Boolean((text += more)) };
  const progress = createByteProgress(stream, () => time);
  return {
    progress,
    text: () => text,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('byte progress', () => {
  it('is one line on a terminal, with the speed and the time left', () => {
    const { progress, text, pass } = open(true);
    progress.update('Uploading a.csv', 0, 4.3e9);
    pass(50);
    progress.update('Uploading a.csv', 1e6, 4.3e9);
    pass(10_000);
    progress.update('Uploading a.csv', 1.2e9, 4.3e9);
    progress.end();
    expect(text()).toBe(
      '\r\u001b[KUploading a.csv: 0.0 of 4.3 GB\r\u001b[KUploading a.csv: 1.2 of 4.3 GB, 119 MB/s, 26 s left\n',
    );
  });

  it('prints a line for every tenth where the output is not a terminal', () => {
    const { progress, text } = open(false);
    for (let done = 0; done <= 100; done++) progress.update('Reading the files', done, 100);
    progress.end();
    expect(text().split('\n')).toHaveLength(11);
    expect(text()).toMatch(/^Reading the files: 10 of 100 B\n/);
  });

  it('computes the speed from the byte at which the upload resumed', () => {
    const { progress, text, pass } = open(true);
    progress.update('Uploading a.csv', 4e9, 8e9);
    pass(2000);
    progress.note('The server cannot be reached. Trying again …');
    progress.update('Uploading a.csv', 5e9, 8e9);
    pass(2000);
    progress.update('Uploading a.csv', 6e9, 8e9);
    expect(text()).toContain('Trying again …');
    expect(text()).toMatch(/6\.0 of 8\.0 GB, 500 MB\/s, 4 s left$/);
  });
});
