/** Where constraining transforms leave log |Jacobian|: the program adds these slots to its log density. */
export interface JacobianSink {
  add(slot: number): void;
}
