/**
 * The random number generator of chains: xoshiro128++ 1.0 (Blackman & Vigna 2021, "Scrambled linear pseudorandom number
 * generators", ACM TOMS 47:4), 128 bits of state in four 32-bit words, period 2¹²⁸ − 1.
 *
 * Streams: the seed and the purpose are hashed into a starting state; chain c starts c × 2⁹⁶ steps further, so chains
 * of one run never overlap. Normals come from the ziggurat, which stores no spare value: the four words are the state.
 */
import type { Rng } from './rng.ts';
import { zigguratNormal } from './ziggurat.ts';

/** What a stream of random numbers is for; streams of different purposes are independent. */
export type RngPurpose =
  | 'inits'
  | 'sampler'
  | 'generated quantities'
  | 'transformed data'
  | (string & {});

/** The polynomial that advances the state by 2⁹⁶ steps (Blackman & Vigna's reference, `long_jump`). */
const longJump = [0xb523952e, 0x0b6f099f, 0xccf5a0ef, 0x1c580662];

/** Chains below this are jumped to one by one; the rest of a chain's number enters the hash. */
const maxJumps = 1024;

class Xoshiro128 implements Rng {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  constructor(words: readonly number[]) {
    [this.a, this.b, this.c, this.d] = words.map((w) => w | 0);
    // the all-zero state is the one fixed point
    if ((this.a | this.b | this.c | this.d) === 0) this.a = 1;
  }

  /** The next 32 bits as a signed integer. */
  private next(): number {
    const { a, b, c, d } = this;
    const sum = (a + d) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + a) | 0;
    const c1 = c ^ a;
    const d1 = d ^ b;
    this.b = b ^ c1;
    this.a = a ^ d1;
    this.c = c1 ^ (b << 9);
    this.d = (d1 << 11) | (d1 >>> 21);
    return result;
  }

  uint32(): number {
    return this.next() >>> 0;
  }

  /** 52 random bits and half a unit more: never 0, never 1. */
  uniform(): number {
    const high = this.next() >>> 6;
    const low = this.next() >>> 6;
    return (high * 0x4000000 + low + 0.5) * 2 ** -52;
  }

  normal(): number {
    return zigguratNormal(this);
  }

  /** By inversion, −log(u). */
  exponential(): number {
    return -Math.log(this.uniform());
  }

  state(): number[] {
    return [this.a >>> 0, this.b >>> 0, this.c >>> 0, this.d >>> 0];
  }

  /** Advances by 2⁹⁶ steps. */
  jump(): void {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (const word of longJump) {
      for (let bit = 0; bit < 32; bit++) {
        if ((word >>> bit) & 1) {
          a ^= this.a;
          b ^= this.b;
          c ^= this.c;
          d ^= this.d;
        }
        this.next();
      }
    }
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
  }
}

/** The stream of one (seed, chain, purpose). `seed`: an integer from 0 to 2⁵³; `chain`: a non-negative integer. */
export function createRng(seed: number, chain: number, purpose: RngPurpose): Rng {
  const rng = new Xoshiro128(hashWords(seed, Math.floor(chain / maxJumps), purpose));
  for (let k = chain % maxJumps; k > 0; k--) rng.jump();
  return rng;
}

/** The generator whose `state()` was `state`; continues bit-identically. */
export function rngFromState(state: readonly number[]): Rng {
  if (state.length !== 4) throw new Error(`a generator state has 4 words, got ${state.length}`);
  return new Xoshiro128(state);
}

/** Four well-mixed words from the key; each step is the murmur3 finaliser (Appleby 2011), a bijection of 32 bits. */
function hashWords(seed: number, block: number, purpose: string): number[] {
  let h = mix(0x9e3779b9);
  const absorb = (x: number): void => {
    h = mix((Math.imul(h, 31) + x + 0x9e3779b9) | 0);
  };
  for (let i = 0; i < purpose.length; i++) absorb(purpose.charCodeAt(i));
  const purposeHash = h;
  const words: number[] = [];
  for (let k = 0; k < 4; k++) {
    h = mix(purposeHash ^ Math.imul(k + 1, 0x85ebca6b));
    absorb(seed | 0);
    absorb(Math.floor(seed / 2 ** 32) | 0);
    absorb(block | 0);
    absorb(k);
    words.push(h);
  }
  return words;
}

function mix(x: number): number {
  let h = x ^ (x >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
