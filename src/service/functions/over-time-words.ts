/** How a limit of time is told, by the guest when it notices and by its parent when it does not. */
export const overTimeWords = (milliseconds: number): string =>
  `It took longer than the ${milliseconds / 1000} s it may take.`;
