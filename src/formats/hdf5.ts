/** The HDF5 library, loaded when first needed (4 MB), and files in its memory. */
import type * as h5wasm from 'h5wasm';

export interface Hdf5 {
  readonly File: typeof h5wasm.File;
  readonly Dataset: typeof h5wasm.Dataset;
  readonly Group: typeof h5wasm.Group;
  readonly fs: NonNullable<typeof h5wasm.FS>;
}

let loading: Promise<Hdf5> | null = null;

/** Works in Node, in pages and in workers; all callers in a thread share one library. */
export function loadHdf5(): Promise<Hdf5> {
  loading ??= import('h5wasm').then(prepareHdf5);
  return loading;
}

/** The library as exported by any of its builds. */
export async function prepareHdf5(
  library: Pick<typeof h5wasm, 'ready' | 'File' | 'Dataset' | 'Group'>,
): Promise<Hdf5> {
  const module = await library.ready;
  // Errors of the library become exceptions instead of lines on the console.
  module.activate_throwing_error_handler();
  const { FS: fs } = module;
  return { File: library.File, Dataset: library.Dataset, Group: library.Group, fs };
}

let made = 0;

/** A unique name for a file in the library's memory. */
export function draftName(): string {
  made += 1;
  return `/draws-${made}.nc`;
}
