/** What a share froze of its object: fields and bounds, never logs, inputs, or ids of other objects. */
import type { Data } from '../../contract/data.ts';
import type { Experiment } from '../../contract/experiment.ts';
import type { Model } from '../../contract/model.ts';
import type { Project } from '../../contract/project.ts';
import type { Workflow } from '../../contract/workflow.ts';
import { type MatchedByVariable, matchedByVariable } from '../../posterior/matched-observations.ts';
import { type DimensionLabels, readLabels } from '../../posterior/variable-labels.ts';
import { withWholeVerdict } from '../content/whole-verdict.ts';
import type { ShareGrant } from '../http/signed-address.ts';
import type { AnalysisFile } from '../repositories/analyses.ts';
import type { ChainRow } from '../repositories/chains.ts';
import type { ChainBounds } from '../repositories/draws.ts';
import { chainsLeftOut } from '../repositories/experiment-meta.ts';
import type { NewShareMember, ShareRow } from '../repositories/shares.ts';

type Shown = Experiment | Model | Workflow | Data | Project;

export interface Snapshot {
  /** Of an experiment or a workflow: the file of its newest analysis at that time. */
  readonly analysis?: AnalysisFile | null;
  /** The view as sharees get it. */
  readonly view: Shown;
  /** Of an experiment whose program is included. */
  readonly model_id?: string;
  /** Of an experiment: how far each chain's saved draws reach. */
  readonly bounds?: readonly ChainBounds[];
  /** Of an experiment: what its chains had reported at that time. */
  readonly chains?: readonly ChainRow[];
  /** Of an experiment: the revision of its draws. */
  readonly revision?: number;
  /** Of a model or of data. */
  readonly version?: number;
  /** Of an experiment whose data are included. */
  readonly has_data?: boolean;
  /** Of a project. Each is stored in a separate row. */
  readonly members?: readonly NewShareMember[];
}

export const snapshotOf = (share: Pick<ShareRow, 'snapshot'>) =>
  share.snapshot as unknown as Snapshot;

/** The part of a file's address that identifies the share that gave it out. */
export const grantOf = (share: ShareRow): ShareGrant => ({
  share: share.short_id,
  passwordVersion: share.password_version,
});

/** How many of an experiment's draws sharees may see, by chain name. */
export function boundsOf(share: ShareRow): ReadonlyMap<string, number> {
  return new Map((snapshotOf(share).bounds ?? []).map((chain) => [chain.name, chain.sampling]));
}

export function revisionOf(share: ShareRow): number {
  return snapshotOf(share).revision ?? 0;
}

export function chainsOf(share: ShareRow): readonly ChainRow[] {
  return snapshotOf(share).chains ?? [];
}

/** Chains that the owner had left out when the share was made. */
export function leftOutOf(share: ShareRow): readonly string[] {
  const { view } = snapshotOf(share);
  return view.object_type === 'experiment' ? chainsLeftOut(view.meta) : [];
}

/** Labels of dimensions as they were when the share was made. */
export function labelsOf(share: ShareRow): DimensionLabels {
  const { view } = snapshotOf(share);
  return readLabels(view.object_type === 'experiment' ? view.meta?.labels : null);
}

/** The run's settings when the share was made. */
export function settingsOf(share: ShareRow): Readonly<Record<string, unknown>> | null {
  const { view } = snapshotOf(share);
  return (view.object_type === 'experiment' && view.meta?.settings) || null;
}

/** What moment matching had found when the share was made. */
export function matchedOf(share: ShareRow): MatchedByVariable {
  const { view } = snapshotOf(share);
  return matchedByVariable(view.object_type === 'experiment' ? view.meta?.moment_match : null);
}

/** The analysis that existed when the share was made. */
export function analysisOf(share: ShareRow): AnalysisFile | null {
  return snapshotOf(share).analysis ?? null;
}

export function hasSharedData(share: ShareRow): boolean {
  return snapshotOf(share).has_data === true;
}

/** The entry shown in the lists of those it was shared with. */
export function snapshotEntry(share: Pick<ShareRow, 'snapshot'>): Shown {
  const { view } = snapshotOf(share);
  return view.object_type === 'experiment' ? withWholeVerdict(view) : view;
}
