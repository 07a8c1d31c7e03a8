/**
 * Standard normals by the ziggurat method (Marsaglia & Tsang 2000, "The ziggurat method for generating random
 * variables", JSS 5:8) with layer number and position taken from separate bits, as Doornik (2005), "An improved
 * ziggurat method to generate normal random samples", asks.
 */

/** 128 layers of equal area; r is where the tail begins (Marsaglia & Tsang, section 2). */
const numLayers = 128;
const tailStart = 3.442619855899;
const layerArea = 9.91256303526217e-3;

const density = (x: number): number => Math.exp(-0.5 * x * x);

/** `edge[i]`: right edge of layer i, decreasing; layer 0 holds the tail. `ratio[i]` = edge[i + 1] / edge[i]. */
const edge = new Float64Array(numLayers + 1);
const ratio = new Float64Array(numLayers);
edge[0] = layerArea / density(tailStart);
edge[1] = tailStart;
for (let i = 2; i < numLayers; i++) {
  edge[i] = Math.sqrt(-2 * Math.log(layerArea / edge[i - 1] + density(edge[i - 1])));
}
edge[numLayers] = 0;
for (let i = 0; i < numLayers; i++) ratio[i] = edge[i + 1] / edge[i];

interface Source {
  uint32(): number;
  uniform(): number;
}

export function zigguratNormal(source: Source): number {
  for (;;) {
    const u = 2 * source.uniform() - 1;
    const layer = source.uint32() & 127;
    // inside the layer's rectangle: 98.8 % of the draws
    if (Math.abs(u) < ratio[layer]) return u * edge[layer];
    if (layer === 0) return tail(source, u < 0);
    const x = u * edge[layer];
    const high = density(edge[layer]);
    const low = density(edge[layer + 1]);
    if (high + source.uniform() * (low - high) < density(x)) return x;
  }
}

/** Marsaglia (1964): a normal beyond `tailStart`. */
function tail(source: Source, negative: boolean): number {
  for (;;) {
    const x = -Math.log(source.uniform()) / tailStart;
    const y = -Math.log(source.uniform());
    if (2 * y >= x * x) return negative ? -tailStart - x : tailStart + x;
  }
}
