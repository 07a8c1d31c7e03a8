/** Tabs of a model's page, as its address names them; apart from the page, which is large. */
export const modelTabs = ['files', 'experiments', 'versions', 'share', 'info'] as const;
export type ModelTab = (typeof modelTabs)[number];
