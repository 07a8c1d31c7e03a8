/** HDF5 files created and opened in the library's memory. */
import type { File } from 'h5wasm';
import { draftName, type Hdf5 } from '../../src/formats/hdf5.ts';

export function hdf5File(hdf5: Hdf5, fill: (file: File) => void): Uint8Array {
  const name = draftName();
  const file = new hdf5.File(name, 'w', { track_order: true });
  fill(file);
  file.close();
  const bytes = hdf5.fs.readFile(name);
  hdf5.fs.unlink(name);
  return bytes;
}

export function inHdf5File<T>(hdf5: Hdf5, bytes: Uint8Array, look: (file: File) => T): T {
  const name = draftName();
  hdf5.fs.writeFile(name, bytes);
  const file = new hdf5.File(name, 'r');
  try {
    return look(file);
  } finally {
    file.close();
    hdf5.fs.unlink(name);
  }
}
