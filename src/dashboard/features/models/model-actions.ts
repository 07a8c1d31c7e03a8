/** What can be done with a model in addition to editing it. */

export interface ModelActions {
  readonly onShare: () => void;
  readonly onDelete: () => void;
  readonly onOpenModel: (modelId: string) => void;
  readonly onOpenExperiment: (experimentId: string) => void;
}
