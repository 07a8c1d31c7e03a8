/** Tabs of a model's page, as named in its address; separate from the page, which is large. */
export const modelTabs = ['files', 'experiments', 'versions', 'share', 'info'] as const;
export type ModelTab = (typeof modelTabs)[number];
