/** Double-precision numbers in this module's memory: addresses are in bytes, indexes count numbers. */

export function at(base: usize, index: i32): usize {
  return base + ((<usize>index) << 3);
}

export function get(base: usize, index: i32): f64 {
  return load<f64>(at(base, index));
}

export function set(base: usize, index: i32, x: f64): void {
  store<f64>(at(base, index), x);
}

/** The two numbers from `index` on. */
export function getPair(base: usize, index: i32): v128 {
  return v128.load(at(base, index));
}

export function setPair(base: usize, index: i32, x: v128): void {
  v128.store(at(base, index), x);
}

export function sumOfPair(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
}

/** a x + b y + c z + d w, two at a time. */
export function combine(
  a: v128,
  x: v128,
  b: v128,
  y: v128,
  c: v128,
  z: v128,
  d: v128,
  w: v128,
): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y)),
    f64x2.add(f64x2.mul(c, z), f64x2.mul(d, w)),
  );
}
