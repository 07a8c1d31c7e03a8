/** The slanted names below the divergence figure: all of each is inside the picture. */
import { describe, expect, it } from 'vitest';
import { divergenceFigure } from '../../src/figures/divergence-figure.ts';
import { plotPalettes } from '../../src/figures/palette.ts';
import { figureToSvg } from '../../src/figures/svg.ts';
import { textWidth } from '../../src/figures/svg-text.ts';

const palette = plotPalettes.light;
const size = { width: 560, height: 180 };

function figureOf(first: string, last: string, alone: boolean) {
  const chains = [{ index: 0, name: 'chain#1', sampling: Float64Array.of(1, 2, 4, 3) }];
  const names = [first, 'a', 'b', 'c', 'd', 'e', last];
  return divergenceFigure(
    names.map((variable) => ({ variable, chains })),
    { palette, alone },
  );
}

describe.each([
  ['in a card', false],
  ['alone', true],
])('%s', (_, alone) => {
  it('long names that are shortened and slanted are not cut off', () => {
    const figure = figureOf('mu_temperature_mean', 'beta_temperature_mean', alone);
    const svg = figureToSvg(figure, { ...size, palette });
    const found = [...svg.matchAll(/<text x="(\S+)" y="(\S+)"[^>]*rotate\(-45 [^>]*>([^<]+)</g)];
    expect(found).toHaveLength(7);
    for (const [, x, y, name = ''] of found) {
      const reach = textWidth(name, 11) * Math.SQRT1_2;
      expect(Number(x) - reach, name).toBeGreaterThanOrEqual(0);
      expect(Number(y) + reach, name).toBeLessThanOrEqual(size.height);
    }
  });

  it('short names leave the room to the draws', () => {
    const bottom = (figure: ReturnType<typeof figureOf>) =>
      (figure.layout.margin as { b: number }).b;
    expect(bottom(figureOf('f', 'g', alone))).toBeLessThan(
      bottom(figureOf('mu_temperature_mean', 'g', alone)),
    );
  });
});
