/** Height of a plot in a grid: on a screen that is large both ways, it grows with the width it gets there. */
import { useMediaQuery } from '@mantine/hooks';

/** As tall as wide screens are: wide and low ones have no rows to give away. */
const largeScreen = '(min-width: 2400px) and (min-height: 1200px)';
const growth = 1.6;

export function usePlotHeight(usual: number): number {
  const isLarge = useMediaQuery(largeScreen, undefined, { getInitialValueInEffect: false });
  return isLarge ? Math.round(usual * growth) : usual;
}
