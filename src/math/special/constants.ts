/** Mathematical constants that several densities share. */

/** log √(2π) */
export const halfLogTwoPi = 0.9189385332046728;
export const logTwoPi = 1.8378770664093456;
export const logPi = 1.1447298858494002;
