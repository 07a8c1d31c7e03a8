/** *Take it with you*: the program, data and settings of a run as one zip, made in the browser. */
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';
import { expectKind } from '../../../../client/expect-kind.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import type { Model } from '../../../../contract/model.ts';
import { writeZip } from '../../../../formats/archive.ts';
import { parseDataJson } from '../../../../formats/data-json.ts';
import { flattenTree, type ModelFiles } from '../../../../formats/model-tree.ts';
import { readRDump } from '../../../../formats/r-dump.ts';
import { isRDump } from '../../../../formats/r-dump-mark.ts';
import { buildRunPackage } from '../../../../formats/run-package.ts';
import { fileAddress } from '../../live/sample-address.ts';

/** The model as it was when the run started, if the server keeps versions; otherwise as it is now. */
async function modelOf(
  client: Client,
  { model_id, meta }: Experiment,
  hasVersions: boolean,
): Promise<Model> {
  if (!model_id) throw new ApiError('schema', 'The server does not report which program ran.');
  const version = hasVersions ? (meta?.model_version ?? 0) : 0;
  const view = await client.viewObject({ params: { objid: model_id }, query: { version } });
  return expectKind(view, 'model');
}

function filesOf(model: Model): ModelFiles {
  const files = flattenTree(model.content?.tree ?? []);
  if (!files.ok) throw new ApiError('schema', files.error.message);
  return files.value;
}

/** The program's files as a zip. Throws `ApiError`. */
export async function modelZip(
  client: Client,
  experiment: Experiment,
  hasVersions: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  return zipOf(filesOf(await modelOf(client, experiment, hasVersions)));
}

/** A folder with everything needed to rerun this experiment elsewhere. Throws `ApiError`. */
export async function runZip(
  client: Client,
  experiment: Experiment,
  hasVersions: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const model = await modelOf(client, experiment, hasVersions);
  const data = await dataOf(client, experiment);
  const entrance = model.content?.meta?.entrance_file ?? '';
  const name = experiment.name || experiment.short_id;
  const built = buildRunPackage({
    name,
    env: model.env ?? '',
    program: { files: filesOf(model).files, entrance },
    data,
    dataJson: data === null ? null : readableJson(data),
    settings: experiment.meta?.settings ?? {},
    place: { workflow_id: experiment.workflow_id, experiment_name: name },
  });
  return zipOf(built);
}

async function dataOf(client: Client, { input }: Experiment): Promise<Uint8Array | null> {
  if (!input) return null;
  const data = expectKind(await client.viewObject({ params: { objid: input } }), 'data');
  const response = await fetch(fileAddress(data.path)).catch((error: unknown) => {
    throw ApiError.from(error);
  });
  if (!response.ok)
    throw new ApiError('http', 'The data cannot be read now.', { status: response.status });
  return new Uint8Array(await response.arrayBuffer());
}

/** The data's text if programs can read it as JSON; R dumps are converted to JSON. */
function readableJson(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  if (!isRDump(text)) return parseDataJson(text).ok ? text : null;
  const read = readRDump(text);
  return read.ok ? JSON.stringify(read.value) : null;
}

function zipOf(files: ModelFiles): Uint8Array<ArrayBuffer> {
  const zip = writeZip(files);
  if (!zip.ok) throw new ApiError('schema', zip.error.message);
  return new Uint8Array(zip.value);
}
