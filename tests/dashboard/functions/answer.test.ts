import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer, readParameters } from '../../../src/dashboard/features/functions/answer.ts';

describe('the answer of a function', () => {
  it('is an image if it is SVG or the bytes of an image', () => {
    expect(readAnswer({ svg: '<svg onload="x()"/>' })).toEqual({
      kind: 'image',
      source: 'data:image/svg+xml;charset=utf-8,%3Csvg%20onload%3D%22x()%22%2F%3E',
    });
    expect(readAnswer({ base64: 'iVBORw0KGgoAAA' })).toMatchObject({
      source: 'data:image/png;base64,iVBORw0KGgoAAA',
    });
  });
  it('is JSON if bytes are not an image, or a trace type is not supported', () => {
    expect(readAnswer({ base64: 'AAAA' }).kind).toBe('json');
    expect(readAnswer({ data: [{ type: 'scattermapbox' }] }).kind).toBe('json');
    expect(readAnswer({ data: [1, 2], layout: {} }).kind).toBe('json');
  });
  it('is a Plotly figure, or an HTML page that stays text', () => {
    expect(readAnswer({ data: [{ type: 'bar', x: [1], y: [2] }] }).kind).toBe('figure');
    expect(readAnswer({ html: '<script>x()</script>' })).toEqual({
      kind: 'html',
      text: '<script>x()</script>',
    });
  });
  it('has a kind for every JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => readAnswer(value).kind !== undefined));
  });
});

describe('parameters', () => {
  it('are one JSON object, which is empty for an empty text', () => {
    expect(readParameters(' ')).toEqual({ ok: true, value: {} });
    expect(readParameters('{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
    expect(readParameters('[1]').ok).toBe(false);
    expect(readParameters('{"a"').ok).toBe(false);
  });
});

it('several named figures are shown together; if one cannot be drawn, all stay JSON', () => {
  const plot = { name: 'mu', data: [{ type: 'scatter', y: [1] }], layout: { title: 'x' } };
  expect(readAnswer({ notes: [], plots: [plot, { ...plot, name: 'tau' }] })).toEqual({
    kind: 'figures',
    figures: ['mu', 'tau'].map((name) => ({
      name,
      figure: { data: plot.data, layout: plot.layout },
    })),
  });
  expect(readAnswer({ plots: [plot, { name: 'pie', data: [{ type: 'pie' }] }] }).kind).toBe('json');
  expect(readAnswer({ plots: [] }).kind).toBe('json');
});
