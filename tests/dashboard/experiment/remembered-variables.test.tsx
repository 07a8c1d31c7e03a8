// Runs in a window.
import { act, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  rememberedVariables,
  useChosenVariables,
} from '../../../src/dashboard/features/experiment/run/remembered-variables.ts';
import { createFakeExperiment } from '../../support/fake-objects.ts';

afterEach(() => localStorage.clear());

const ofModel = (model_id: string, shown_variables?: string[]) => ({
  ...createFakeExperiment({}),
  model_id,
  meta: { shown_variables },
});
const choose = (
  model: string,
  vars: string[],
  { isShare = false, shown = undefined as string[] | undefined } = {},
) => {
  const onChange = vi.fn();
  const { result } = renderHook(() =>
    useChosenVariables(ofModel(model, shown), isShare, { vars, onChange }),
  );
  return { result, onChange };
};

describe('the chosen variables', () => {
  it('are remembered for the model, and no other', () => {
    const { result, onChange } = choose('M1', []);
    expect(result.current.vars).toEqual([]);
    act(() => result.current.onChoose(['theta']));
    expect(onChange).toHaveBeenCalledWith(['theta']);
    expect(choose('M1', []).result.current.vars).toEqual(['theta']);
    expect(choose('M2', []).result.current.vars).toEqual([]);
    act(() => result.current.onChoose([]));
    expect(choose('M1', []).result.current.vars).toEqual([]);
  });

  it('are those of the address where it has any', () => {
    const earlier = choose('M1', []).result;
    act(() => earlier.current.onChoose(['theta']));
    expect(choose('M1', ['mu']).result.current).toMatchObject({ vars: ['mu'], usual: ['theta'] });
  });

  it('in a share are those that its owner saw, whatever this browser remembers', () => {
    const earlier = choose('M1', []).result;
    act(() => earlier.current.onChoose(['theta']));
    const { result, onChange } = choose('M1', [], { isShare: true, shown: ['tau'] });
    expect(result.current).toMatchObject({ vars: ['tau'], opening: ['tau'] });
    act(() => result.current.onChoose(['mu']));
    expect(onChange).toHaveBeenCalledWith(['mu']);
    expect(rememberedVariables(ofModel('M1'))).toEqual(['theta']);
  });

  it('are the defaults if the stored value is invalid', () => {
    localStorage.setItem('ergodic.variables.M1', '{"not": "a list"}');
    expect(rememberedVariables(ofModel('M1'))).toEqual([]);
    localStorage.setItem('ergodic.variables.M1', 'nonsense');
    expect(rememberedVariables(ofModel('M1'))).toEqual([]);
  });
});
