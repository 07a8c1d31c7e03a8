/** The gallery: every entry is complete, cited, small, and runs unchanged. */
import { describe, expect, it } from 'vitest';
import { compileModel } from '../../src/engine/compile-model.ts';
import { openStream } from '../../src/engine/random-streams.ts';
import { parseDataJson } from '../../src/formats/data-json.ts';
import { describeData } from '../../src/formats/describe-data.ts';
import { entranceFile } from '../../src/formats/entrance-file.ts';
import { splitPath } from '../../src/formats/path-segment.ts';
import { findGalleryModel, gallery } from '../../src/gallery/gallery.ts';
import { checkProgram } from '../../src/language/check.ts';

const dataOf = (json: string) => {
  const parsed = parseDataJson(json);
  if (!parsed.ok) throw new Error(parsed.error.message);
  expect(parsed.value.rounded).toEqual([]);
  return parsed.value.value as Record<string, unknown>;
};

it('the gallery has at least a dozen entries with unique slugs and names', () => {
  expect(gallery.length).toBeGreaterThanOrEqual(12);
  expect(new Set(gallery.map((model) => model.slug)).size).toBe(gallery.length);
  expect(new Set(gallery.map((model) => model.name)).size).toBe(gallery.length);
  expect(findGalleryModel('rats')?.name).toBe('Growth of rats');
  expect(findGalleryModel('none')).toBeUndefined();
});

describe.each(gallery.map((model) => [model.slug, model] as const))('%s', (slug, model) => {
  it('is complete and small', () => {
    expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(entranceFile({ entrance_file: model.entranceFile }, Object.keys(model.files))).toBe(
      model.entranceFile,
    );
    for (const path of Object.keys(model.files)) expect(splitPath(path).ok).toBe(true);
    for (const text of [model.name, model.summary, model.origin])
      expect(text).toMatch(/^\S[^\n]*\S$/);
    expect(model.origin).toMatch(/\d{4}|Simulated/);
    expect(model.data.json.length).toBeLessThan(20_000);
  });

  it('has a program without diagnostics', () => {
    expect(checkProgram(model.files[model.entranceFile], {}).diagnostics).toEqual([]);
  });

  it('has rectangular data without missing values', () => {
    for (const entry of describeData(dataOf(model.data.json))) {
      expect(entry.isRagged, entry.name).toBe(false);
      expect(entry.missing, entry.name).toBe(0);
      expect(['int', 'real'], entry.name).toContain(entry.type);
    }
  });

  it('compiles with its data and has a finite density and gradient', () => {
    const result = compileModel({
      source: model.files[model.entranceFile],
      fileName: model.entranceFile,
      data: dataOf(model.data.json),
      rng: openStream(1, 1, 'inits'),
    });
    if (!result.ok) throw new Error(result.message);
    const theta = new Float64Array(result.model.numUnconstrained).fill(0.1);
    const gradient = new Float64Array(theta.length);
    expect(Number.isFinite(result.model.logDensityGradient(theta, gradient))).toBe(true);
    expect(gradient.every(Number.isFinite)).toBe(true);
    const draw = new Float64Array(result.model.columns.length);
    result.model.constrain(theta, openStream(1, 1, 'generated'), draw);
    expect(draw.every(Number.isFinite)).toBe(true);
  });
});

describe('known numbers of the data', () => {
  const numbers = (slug: string, name: string) =>
    dataOf(findGalleryModel(slug)?.data.json ?? '')[name] as number[];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  it('Nile: 100 years with a mean of 919.35', () =>
    expect(sum(numbers('nile', 'flow')) / 100).toBe(919.35));
  it('coal mines: 191 disasters', () => expect(sum(numbers('coal-mines', 'disasters'))).toBe(191));
  it('cheese: 52 tasters per additive', () => {
    const count = numbers('cheese', 'count') as unknown as number[][];
    expect(count.map(sum)).toEqual([52, 52, 52, 52]);
  });
  it('doctors: 630 deaths among smokers, 101 among others', () => {
    const deaths = numbers('doctors', 'deaths');
    expect([sum(deaths.slice(0, 5)), sum(deaths.slice(5))]).toEqual([630, 101]);
    expect(sum(numbers('doctors', 'person_years').slice(0, 5))).toBe(142_247);
  });
  it('o-rings: 7 of 23 flights', () => expect(sum(numbers('o-rings', 'damaged'))).toBe(7));
  it('rats: the mean growth by least squares is 6.19 per day', () => {
    const weight = numbers('rats', 'weight') as unknown as number[][];
    const slopes = weight.map((rat) => sum(rat.map((y, t) => (y * (t - 2) * 7) / (49 * 10))));
    expect(sum(slopes) / 30).toBeCloseTo(6.1857, 3);
  });
});
