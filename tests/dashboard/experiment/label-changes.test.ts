import { describe, expect, it } from 'vitest';
import {
  arraysOf,
  draftsOf,
  labelsPatch,
  linesOf,
  withDrafts,
} from '../../../src/dashboard/features/experiment/labels/label-changes.ts';
import { readLabels } from '../../../src/posterior/variable-labels.ts';
import { createRow } from '../../support/summary-rows.ts';

const school = ['A', 'B'];
const labels = readLabels({ coords: { school }, dims: { theta: ['school'] } });

it('arrays are those of the run, with the lengths of their dimensions', () => {
  const names = ['mu', 'theta[1]', 'theta[2]', 'x[1,1]', 'x[2,1]', 'x[2,3]', 'm[a]', 'lp__'];
  expect(arraysOf(names.map((variable) => createRow({ variable })))).toEqual([
    { name: 'theta', sizes: [2] },
    { name: 'x', sizes: [2, 3] },
  ]);
});

it('lines are trimmed; an empty line leaves its index as a number', () => {
  expect(linesOf(' A \n\nC\n\n \n')).toEqual(['A', '', 'C']);
  expect(linesOf(' \n')).toEqual([]);
});

describe('labels that are edited', () => {
  const theta = { name: 'theta', sizes: [2] };

  it('start from the existing labels', () => {
    expect(draftsOf(theta, labels)).toEqual([{ name: 'school', text: 'A\nB' }]);
    expect(draftsOf({ name: 'x', sizes: [2, 3] }, labels)).toEqual([
      { name: '', text: '' },
      { name: '', text: '' },
    ]);
  });

  it('apply to one array or several, with the ArviZ name for a dimension without a name', () => {
    const drafts = [
      { name: '', text: '' },
      { name: ' ', text: 'early\nlate' },
    ];
    expect(withDrafts(labels, ['x', 'z'], drafts)).toEqual({
      coords: { school, x_dim_1: ['early', 'late'] },
      dims: { theta: ['school'], x: ['', 'x_dim_1'], z: ['', 'x_dim_1'] },
    });
  });

  it('are removed once no array has them, and kept if another array shares them', () => {
    const empty = [{ name: 'school', text: '' }];
    expect(withDrafts(labels, ['theta'], empty)).toEqual({ coords: {}, dims: {} });
    const shared = { ...labels, dims: { theta: ['school'], eta: ['school'] } };
    expect(withDrafts(shared, ['theta'], empty)).toEqual({
      coords: { school },
      dims: { eta: ['school'] },
    });
  });

  it('are sent as the difference, and back', () => {
    const after = withDrafts(labels, ['theta'], [{ name: 'place', text: 'N\nS' }]);
    expect(labelsPatch(labels, after)).toEqual({
      coords: { school: null, place: ['N', 'S'] },
      dims: { theta: ['place'] },
    });
    expect(labelsPatch(after, labels)).toEqual({
      coords: { school, place: null },
      dims: { theta: ['school'] },
    });
  });
});
