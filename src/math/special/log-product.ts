/**
 * Σ log(factor) as the logarithm of products: one logarithm for hundreds of factors. Each product stays below 1e290; a
 * factor 1 + x costs an absolute error of 1e-16, so this is for sums whose absolute error matters.
 */
export class LogProduct {
  private product = 1;
  private sum = 0;

  reset(): void {
    this.product = 1;
    this.sum = 0;
  }

  /** Takes in one factor ≥ 1. */
  multiply(factor: number): void {
    if (factor > 1e100) {
      this.sum += Math.log(factor);
      return;
    }
    this.product *= factor;
    if (this.product > 1e190) {
      this.sum += Math.log(this.product);
      this.product = 1;
    }
  }

  /** Σ log of the factors since the reset. NaN if a factor was. */
  get log(): number {
    return this.sum + Math.log(this.product);
  }
}
