/** The functions that JavaScript calls. */
export { orthonormalise } from './basis';
export {
  acceptStep,
  arrangeSystem,
  beginSystem,
  interpolateStep,
  takeFirstTrial,
  takeLastStage,
  takeStage,
} from './dormand-prince';
export { factor } from './factor';
export { factorAdjoint } from './factor-adjoint';
export { eigenOfMean } from './geometric-mean';
export { multiply, multiplyTransposed } from './products';
export { inverseOfFactored, solveLower, solveLowerTransposed } from './solve';
export {
  addVector,
  beginMove,
  copyVector,
  copyVelocity,
  correctLowRank,
  endMove,
  multiplyLowRank,
  turnsOver,
} from './trajectory';
