/** Prepares a run's data: runs the workflow's script confined, freezes its answer as the data, queues the chains. */
import type { WireLabels } from '../../contract/experiment.ts';
import { limits as bounds } from '../../contract/limits.ts';
import { parseDataJson } from '../../formats/data-json.ts';
import { dataMeta, metaName } from '../../formats/data-meta.ts';
import { isRecord } from '../../shared/items.ts';
import { keptLabels } from '../content/data-labels.ts';
import type { CoreContext } from '../context.ts';
import { functionLimits } from '../functions/call-function.ts';
import { dataScriptLanguage } from '../functions/data-script-language.ts';
import { createGuestReader } from '../functions/guest-reads.ts';
import { markNumbers, unmarkNumbers } from '../functions/marked-numbers.ts';
import { viewerOfUser } from '../functions/viewer-of-user.ts';
import type { GuestResult } from '../guests/guest-process.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import { findBlob } from '../repositories/blobs.ts';
import { insertChains, publishLive } from '../repositories/chains.ts';
import {
  findDataScript,
  lockAwaitingScript,
  replaceRunData,
} from '../repositories/data-scripts.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import {
  type ExperimentRow,
  findExperimentById,
  findFrozen,
  updateExperiment,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { findWorkflow } from '../repositories/workflows.ts';
import { checkProgramFiles } from './check-program.ts';
import { failRun } from './end-run.ts';
import type { RunError } from './failure-scope.ts';
import { doLocked } from './locked-job.ts';
import { readProgramFiles, readRunData } from './program.ts';
import { labelsOfRun } from './run-labels.ts';
import { plannedChains } from './source-draws.ts';

/** Class of the advisory lock that prevents two workers from preparing the same run. */
const LOCK_CLASS = 4_715_012;

/** Does nothing when the run is prepared, stopped or gone. */
export function runDataScript(context: CoreContext, experimentId: number): Promise<JobOutcome> {
  return doLocked(context.pool, {
    lockClass: LOCK_CLASS,
    experimentId,
    work: () => prepare(context, experimentId),
    onFault: () =>
      failScript(context, experimentId, {
        code: 'DATA_SCRIPT_FAILED',
        message: 'The data script could not be run because this server failed.',
      }),
  });
}

async function prepare(context: CoreContext, id: number): Promise<void> {
  const experiment = await findExperimentById(context.pool, id);
  const script = await findDataScript(context.pool, id);
  if (experiment === null || experiment.status !== 'NEW' || script === null) return;
  const result = await runScript(context, experiment, script);
  const fail = (message: string, output: ScriptOutput | null) =>
    failScript(context, id, { code: 'DATA_SCRIPT_FAILED', message }, output);
  if (typeof result === 'string') return fail(result, null);
  const output = { script, result };
  if (!result.ok) {
    const { message, line } = result.failure;
    const place = line === 0 ? '' : `line ${line}: `;
    return fail(`The data script failed: ${place}${message}`, output);
  }
  const text = unmarkNumbers(result.answer);
  const fault = findFault(text);
  if (fault !== null) return fail(fault, output);
  await begin(context, experiment, { text, labels: await labelsIn(context, id, text), output });
}

/** Written to the log, in the transaction that records the outcome. */
interface ScriptOutput {
  readonly script: string;
  readonly result: GuestResult;
}

/** Labels in the member `meta__` of its answer, where stored data also have theirs. */
async function labelsIn(
  { pool, reading }: CoreContext,
  id: number,
  text: string,
): Promise<WireLabels | null> {
  if (!text.includes(`"${metaName}"`)) return null;
  const parsed = parseDataJson(text);
  const labels = parsed.ok ? keptLabels(dataMeta(parsed.value.value)) : {};
  const program = (await findFrozen(pool, id))?.program ?? null;
  if (program === null || Object.keys(labels).length === 0) return null;
  const files = await readProgramFiles(pool, program);
  if (!files.ok) return null;
  const { dimensions } = await checkProgramFiles({ ...files.value, hasData: true }, reading);
  return labelsOfRun(dimensions, labels);
}

/** A message instead of a result: the script cannot run here. */
async function runScript(
  context: CoreContext,
  experiment: ExperimentRow,
  script: string,
): Promise<GuestResult | string> {
  const language = dataScriptLanguage(script);
  const parameters = markNumbers(await readInput(context, experiment));
  if (language === 'javascript') {
    const caller = await viewerOfUser(context.pool, experiment.owner_id);
    if (caller === null) return 'The owner of this run is no longer a user of this service.';
    const read = createGuestReader(context, caller, functionLimits);
    const files = { 'data_script.js': script };
    const program = { files, entrance: 'data_script.js', form: 'data', parameters } as const;
    return context.guests.run({ program, limits: functionLimits, read });
  }
  const missing = await context.confined.missing(language);
  if (missing !== null)
    return `The data script is not JavaScript ("export default function (workflow, data) { … }"), so it is taken to be ${language}. ${missing}`;
  const files = new Map([['data.py', Buffer.from(script)]]);
  return context.confined.run(
    { language, files, entrance: 'data.py', parameters, form: 'data' },
    functionLimits,
  );
}

/** The script's input: the workflow, and the data as an object, or as text if they are not JSON. */
async function readInput({ pool }: CoreContext, experiment: ExperimentRow) {
  const kept = await findFrozen(pool, experiment.id);
  const hash = kept?.dataHash ?? null;
  const fmt = kept?.dataFmt ?? '';
  const read = await readRunData(pool, hash, fmt);
  const text = hash === null ? '' : ((await findBlob(pool, hash))?.toString('utf8') ?? '');
  const workflow = await findWorkflow(pool, experiment.workflow_id);
  return {
    workflow: {
      id: experiment.workflow_id,
      name: workflow?.name ?? '',
      settings: experiment.settings,
      model: { id: experiment.model_id, name: experiment.model_name },
      data: { id: experiment.data_id, name: experiment.data_name, fmt },
    },
    data: read.ok ? read.value : text,
  };
}

/** Why the answer cannot be the data of a run, or null. */
function findFault(text: string): string | null {
  if (text.length > bounds.function_answer_bytes)
    return 'The data script returned more data than a run may have.';
  const parsed = parseDataJson(text);
  if (!parsed.ok) return `The data script did not return valid JSON: ${parsed.error.message}.`;
  const { value } = parsed.value;
  if (isRecord(value)) return null;
  return 'The data script must return an object: a value for each variable of the data block.';
}

async function writeLogs(
  tx: Executor,
  experimentId: number,
  { script, result }: ScriptOutput,
): Promise<void> {
  const head = `Data script, ${Math.round(result.milliseconds)} ms:\n`;
  const text = `${head}${script.replace(/^/gm, '  ').trimEnd()}\n`;
  await appendLog(tx, { experimentId, stream: 'platform', text });
  const stack = result.ok ? '' : `${result.failure.message}\n${result.failure.stack}\n`;
  const output = `${result.log}${stack}`;
  if (output !== '') await appendLog(tx, { experimentId, stream: 'stdlog', text: output });
}

async function begin(
  { pool }: CoreContext,
  experiment: ExperimentRow,
  {
    text,
    labels,
    output,
  }: {
    readonly text: string;
    readonly labels: WireLabels | null;
    readonly output: ScriptOutput;
  },
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    if (!(await lockAwaitingScript(tx, experiment.id))) return;
    await writeLogs(tx, experiment.id, output);
    await replaceRunData(tx, experiment.id, Buffer.from(text));
    if (labels !== null) await updateExperiment(tx, experiment.id, { meta: { labels } });
    await insertChains(tx, experiment.id, plannedChains(experiment.settings ?? {}));
    await publishLive(tx, experiment.short_id, 'status');
  });
}

async function failScript(
  { pool }: CoreContext,
  experimentId: number,
  error: RunError,
  output: ScriptOutput | null = null,
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    if (!(await lockAwaitingScript(tx, experimentId))) return;
    if (output !== null) await writeLogs(tx, experimentId, output);
    await failRun(tx, experimentId, error);
  });
}
