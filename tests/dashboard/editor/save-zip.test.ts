/** All files of a model in one archive, or why there is none. */
import { unzipSync } from 'fflate';
import { beforeEach, expect, it, vi } from 'vitest';
import { fromContent } from '../../../src/dashboard/editor/file-tree.ts';
import { saveZip } from '../../../src/dashboard/editor/save-zip.ts';
import { sampleContent } from './trees.ts';

const { saved, toasts } = vi.hoisted(() => ({
  saved: [] as [string, string, Uint8Array][],
  toasts: [] as unknown[],
}));
vi.mock('../../../src/dashboard/ui/save-file.ts', () => ({
  saveFile: (...file: [string, string, Uint8Array]) => saved.push(file),
}));
vi.mock('../../../src/dashboard/ui/toasts.tsx', () => ({
  showToast: (toast: unknown) => toasts.push(toast),
}));
beforeEach(() => {
  saved.length = 0;
  toasts.length = 0;
});

it('a zip has each file at its path', async () => {
  await saveZip('eight schools', fromContent(sampleContent()));
  const [[name, type, bytes]] = saved;
  expect([name, type, toasts]).toEqual(['eight schools.zip', 'application/zip', []]);
  const files = Object.entries(unzipSync(bytes));
  expect(files.map(([path]) => path)).toEqual([
    'model/main.stan',
    'model/part.stan',
    'picture.png',
    'README.md',
  ]);
  expect(new TextDecoder().decode(files[3][1])).toBe('# Read\r\nme');
});

it('a zip is not created with invalid file names', async () => {
  await saveZip('odd', fromContent({ tree: [{ name: '..', type: 'file', content: '' }] }));
  expect(saved).toEqual([]);
  expect(toasts).toEqual([
    { message: expect.stringMatching(/^Not downloaded: .+\.$/), tone: 'bad' },
  ]);
});
