/** Which interval the summary shows in addition to the median. */

export const intervalChoices = ['90', '50', '95', 'hdi90', 'hdi95'] as const;
export type IntervalChoice = (typeof intervalChoices)[number];

export interface IntervalLabels {
  /** In the menu. */
  readonly label: string;
  readonly low: string;
  readonly high: string;
  readonly meaning: string;
}

export const intervalLabels: Readonly<Record<IntervalChoice, IntervalLabels>> = {
  '90': {
    label: '90 %: q5 to q95',
    low: 'q5',
    high: 'q95',
    meaning: 'The middle 90 % of the draws lie between q5 and q95 (quantiles of type 7).',
  },
  '50': {
    label: '50 %: q25 to q75',
    low: 'q25',
    high: 'q75',
    meaning: 'The middle 50 % of the draws lie between q25 and q75 (quantiles of type 7).',
  },
  '95': {
    label: '95 %: q2.5 to q97.5',
    low: 'q2.5',
    high: 'q97.5',
    meaning: 'The middle 95 % of the draws lie between q2.5 and q97.5 (quantiles of type 7).',
  },
  hdi90: {
    label: '90 % highest density',
    low: 'HDI 90 low',
    high: 'HDI 90 high',
    meaning:
      'The narrowest interval that holds 90 % of the draws (Hyndman 1996); assumes one mode.',
  },
  hdi95: {
    label: '95 % highest density',
    low: 'HDI 95 low',
    high: 'HDI 95 high',
    meaning:
      'The narrowest interval that holds 95 % of the draws (Hyndman 1996); assumes one mode.',
  },
};

/** The server's summary contains these; the others are computed from the draws. */
export function isInSummary(choice: IntervalChoice): choice is '90' | '50' {
  return choice === '90' || choice === '50';
}
