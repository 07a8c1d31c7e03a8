/** Height of a plot in a grid: on a screen that is both wide and tall, it grows with the width. */
import { useMediaQuery } from '@mantine/hooks';

/** Tall as well as wide: a wide but low screen has no height to spare. */
const largeScreen = '(min-width: 2400px) and (min-height: 1200px)';
const growth = 1.6;

export function usePlotHeight(usual: number): number {
  const isLarge = useMediaQuery(largeScreen, undefined, { getInitialValueInEffect: false });
  return isLarge ? Math.round(usual * growth) : usual;
}
