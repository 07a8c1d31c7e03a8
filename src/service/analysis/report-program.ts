/** The program of a run in its report: as frozen, or for an outside run the version of the model that it names. */
import type { Experiment } from '../../contract/experiment.ts';
import type { CoreContext } from '../context.ts';
import { findFrozen } from '../repositories/experiments.ts';
import { findModel, findModelVersion } from '../repositories/models.ts';
import type { VisibleDraws } from '../results/visible-draws.ts';
import { readProgram } from '../runs/program.ts';
import { type Html, html } from './html-text.ts';

/** Characters that are shown. */
const mostText = 200_000;

/** Null if there is none, or if the viewer may not see it: the experiment then names no model. */
export async function programPart(
  { pool }: Pick<CoreContext, 'pool'>,
  { model_id: modelId, meta }: Experiment,
  { experimentId }: Pick<VisibleDraws, 'experimentId'>,
): Promise<Html | null> {
  if (!modelId) return null;
  const frozen = (await findFrozen(pool, experimentId))?.program;
  const model = frozen ? null : await findModel(pool, modelId);
  const stored =
    frozen ?? (model && (await findModelVersion(pool, model.id, meta?.model_version ?? 0)));
  const program = stored ? await readProgram(pool, stored) : null;
  if (program === null || !program.ok) return null;
  const { name, source } = program.value;
  const left =
    source.length > mostText && html`<p class="dim">The first ${mostText} characters.</p>`;
  return html`<h2>Program</h2>
<p class="dim">${name}</p>
<div class="scroll"><pre>${source.slice(0, mostText)}</pre></div>${left}`;
}
