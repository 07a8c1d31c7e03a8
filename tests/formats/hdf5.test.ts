/** The HDF5 library as we load it. */
import { expect, it, vi } from 'vitest';
import { draftName, loadHdf5, prepareHdf5 } from '../../src/formats/hdf5.ts';

it('the HDF5 library is loaded once for all callers', async () => {
  const [first, second] = await Promise.all([loadHdf5(), loadHdf5()]);
  expect(second).toBe(first);
  expect(typeof first.fs.writeFile).toBe('function');
});

it('the HDF5 library reports errors as exceptions', async () => {
  const activate = vi.fn();
  const parts = { File: class {}, Dataset: class {}, Group: class {} };
  const fs = {};
  const library = {
    ...parts,
    ready: Promise.resolve({ activate_throwing_error_handler: activate, FS: fs }),
  };
  expect(await prepareHdf5(library as never)).toEqual({ ...parts, fs });
  expect(activate).toHaveBeenCalledOnce();
});

it('files in the memory of the HDF5 library have unique names', () =>
  expect(new Set([draftName(), draftName(), draftName()]).size).toBe(3));
