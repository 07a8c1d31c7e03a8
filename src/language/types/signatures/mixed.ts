/** Functions that accept data and active arguments in any mix, with one implementation each, which is given the kinds. */

const vectors = 'vector|row_vector|real[]';
const reals = `real|${vectors}`;

export const special = `
hypergeometric_1F0(real, real) -> real
hypergeometric_2F1(real, real, real, real) -> real
hypergeometric_3F2 hypergeometric_pFq(${vectors}, ${vectors}, real) -> real
student_t_qf(real, real, real, real) -> real
student_t_qf(${reals}, ${reals}, ${reals}, ${reals}) -> vector
`;

const specialNames = ['hypergeometric_', 'student_t_qf'];

/** Also all constraining transforms. */
export const isMixed = (name: string): boolean =>
  /_(?:constrain|unconstrain|jacobian)$/.test(name) ||
  specialNames.some((start) => name.startsWith(start) && !/_(?:rng|lpmf|lupmf)$/.test(name));
