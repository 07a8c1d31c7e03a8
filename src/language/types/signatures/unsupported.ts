/** Functions and distributions of real Stan that the embedded engine does not run; the checker says so by name. */

const names = `
to_complex get_real get_imag arg conj proj polar norm
fft fft2 inv_fft inv_fft2 eigenvalues eigenvectors eigendecompose
complex_schur_decompose complex_schur_decompose_t complex_schur_decompose_u
`;

/** Functions by full name, distributions without their suffix. */
export const unsupportedFunctions: ReadonlySet<string> = new Set(names.trim().split(/\s+/));
