/** The fast Fourier transform for autocovariances: a power spectrum, and its inverse. */

interface Twiddles {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
}

const twiddlesBySize = new Map<number, Twiddles>();

/** cos and sin of 2πj/size for j < size/2; cached, since a run requests the same size again and again. */
function twiddles(size: number): Twiddles {
  const known = twiddlesBySize.get(size);
  if (known !== undefined) return known;
  const half = size / 2;
  const made = { cos: new Float64Array(half), sin: new Float64Array(half) };
  for (let j = 0; j < half; j++) {
    made.cos[j] = Math.cos((2 * Math.PI * j) / size);
    made.sin[j] = Math.sin((2 * Math.PI * j) / size);
  }
  if (twiddlesBySize.size >= 8) twiddlesBySize.clear();
  twiddlesBySize.set(size, made);
  return made;
}

/** Smallest power of two that is at least `count`. */
export function paddedSize(count: number): number {
  let size = 1;
  while (size < count) size *= 2;
  return size;
}

/** Transform in place, decimation in frequency: natural order in, bit-reversed order out. Size is a power of two. */
export function transform(re: Float64Array, im: Float64Array): void {
  const size = re.length;
  const { cos, sin } = twiddles(size);
  for (let span = size; span >= 2; span >>= 1) {
    const half = span >> 1;
    const step = size / span;
    for (let block = 0; block < size; block += span) {
      for (let a = block, b = block + half, w = 0; a < block + half; a++, b++, w += step) {
        const dRe = re[a] - re[b];
        const dIm = im[a] - im[b];
        re[a] += re[b];
        im[a] += im[b];
        re[b] = dRe * cos[w] + dIm * sin[w];
        im[b] = dIm * cos[w] - dRe * sin[w];
      }
    }
  }
}

/** Inverse without the division by size, decimation in time: bit-reversed order in, natural order out. */
export function inverseTransform(re: Float64Array, im: Float64Array): void {
  const size = re.length;
  const { cos, sin } = twiddles(size);
  for (let span = 2; span <= size; span <<= 1) {
    const half = span >> 1;
    const step = size / span;
    for (let block = 0; block < size; block += span) {
      for (let a = block, b = block + half, w = 0; a < block + half; a++, b++, w += step) {
        const tRe = re[b] * cos[w] - im[b] * sin[w];
        const tIm = im[b] * cos[w] + re[b] * sin[w];
        re[b] = re[a] - tRe;
        im[b] = im[a] - tIm;
        re[a] += tRe;
        im[a] += tIm;
      }
    }
  }
}
