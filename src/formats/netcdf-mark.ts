/** The first bytes of netCDF files. */

/** What the first bytes indicate: netCDF 4 (HDF5), the older netCDF 3, or something else. */
export function sniffNetcdf(bytes: Uint8Array): 'netcdf4' | 'netcdf3' | null {
  if (bytes[0] === 0x43 && bytes[1] === 0x44 && bytes[2] === 0x46 && bytes[3] <= 5)
    return 'netcdf3';
  // HDF5 allows other bytes in front: its mark is at 0, 512, 1024, …
  const mark = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
  for (let at = 0; at + 8 <= bytes.length; at = at === 0 ? 512 : at * 2)
    if (mark.every((byte, i) => bytes[at + i] === byte)) return 'netcdf4';
  return null;
}
