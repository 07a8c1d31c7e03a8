/** The search parameters of a data object's page. */
export const dataTabs = ['content', 'versions', 'uses'] as const;
export type DataTab = (typeof dataTabs)[number];

export interface DataSearch {
  readonly tab: DataTab;
  /** An earlier version; 0: the newest. */
  readonly version: number;
}
