/** Calibration of programs that are right and of programs with known faults, as a user runs it. */
import { describe, expect, it } from 'vitest';
import { calibrateProgram } from '../../support/calibrate.ts';
import { rightPrograms, wrongPrograms } from '../../support/calibration-programs.ts';

describe('simulation-based calibration', () => {
  it.each(Object.entries(rightPrograms))('finds %s uniform', (_, program) => {
    const { verdict, calibration } = calibrateProgram(program);
    expect(verdict.headline).toBe('Calibrated as far as 100 simulations can tell');
    expect(verdict.state).toBe('good');
    expect(calibration.chains).toHaveLength(100);
  });

  it.each(Object.entries(wrongPrograms))('catches %s', (_, program) => {
    const { verdict } = calibrateProgram(program);
    expect(verdict.headline).toMatch(program.says);
    expect(verdict.state).toBe('bad');
  });
});
