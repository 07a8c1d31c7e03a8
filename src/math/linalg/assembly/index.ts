/** The functions that JavaScript calls. */
export { factor } from './factor';
export { factorAdjoint } from './factor-adjoint';
export { multiply, multiplyTransposed } from './products';
export { inverseOfFactored, solveLower, solveLowerTransposed } from './solve';
