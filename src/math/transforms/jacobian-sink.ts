/** Constraining transforms put log |Jacobian| here: the program adds these slots to its log density. */
export interface JacobianSink {
  add(slot: number): void;
}
