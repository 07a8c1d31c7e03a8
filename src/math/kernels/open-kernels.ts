/**
 * The functions of `assembly/`, compiled to WebAssembly: they compute two numbers at a time, in a memory of their own. Each
 * opening has its own memory. It never grows: that would replace its buffer, after which V8 discards all code of the sampler
 * that reads arrays (see engine/README.md).
 */
import { compiled } from './compiled.gen.ts';

/** Addresses are in bytes from the start of the memory; sizes count numbers. */
export interface Kernels {
  factor(l: number, n: number): number;
  factorAdjoint(l: number, g: number, n: number): void;
  multiply(...operands: [...Product, step: number, columnStep: number]): void;
  multiplyTransposed(...operands: Product): void;
  solveLower(l: number, x: number, n: number, cols: number): void;
  solveLowerTransposed(l: number, x: number, n: number, cols: number): void;
  inverseOfFactored(l: number, inverse: number, out: number, n: number): void;
  eigenOfMean(...operands: Mean): number;
  orthonormalise(v: number, n: number, cols: number): number;
  arrangeSystem(states: number, columns: number, firstParameter: number, parameters: number): void;
  beginSystem(): void;
  takeFirstTrial(h: number): void;
  takeStage(stage: number, h: number): void;
  takeLastStage(h: number, relative: number, absolute: number): number;
  acceptStep(): void;
  interpolateStep(x: number, h: number): void;
  beginMove(...operands: [q: number, p: number, ...Moved, stepSize: number, n: number]): void;
  endMove(...operands: [p: number, ...Moved, stepSize: number, n: number]): void;
  copyVelocity(out: number, velocity: number, p: number, n: number): number;
  multiplyLowRank(...operands: [out: number, x: number, scales: number, ...Directions]): void;
  correctLowRank(...operands: [x: number, ...Directions]): void;
  turnsOver(begin: number, end: number, rhoA: number, rhoB: number, n: number): number;
  addVector(target: number, x: number, n: number): void;
  copyVector(target: number, x: number, n: number): void;
}

type Moved = [gradient: number, velocity: number, acceleration: number];

type Directions = [factors: number, directions: number, n: number, rank: number];

type Mean = [x: number, g: number, n: number, cols: number, weight: number, out: number];

type Product = [c: number, a: number, b: number, rows: number, inner: number, cols: number];

export interface OpenKernels {
  /** The memory. */
  readonly numbers: Float64Array;
  readonly calls: Kernels;
}

const pageBytes = 65_536;
let module: WebAssembly.Module | undefined;

/** With a memory of `bytes`, of which the system provides what is used; null where WebAssembly or its vectors are refused. */
export function openKernels(bytes: number): OpenKernels | null {
  try {
    module ??= new WebAssembly.Module(bytesOf(compiled));
    const pages = Math.ceil(bytes / pageBytes);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    return {
      numbers: new Float64Array(memory.buffer),
      calls: exports as unknown as Kernels,
    };
  } catch {
    return null;
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
