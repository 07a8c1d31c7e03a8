/** The file that an analyzer returned, either in a function's answer or in an outside runner's message. */
import { gunzipSync } from 'node:zlib';
import { limits } from '../../contract/limits.ts';
import { isRecord } from '../../shared/items.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { invalidParameter, tooLarge } from '../http/service-error.ts';
import type { AnalyzerFile } from '../repositories/analyses.ts';

const defaultName = 'output.html';
const expected =
  'An analyzer must return a page as text, {html}, or {base64, file_name} for any other file.';

/** The file, or why the answer does not contain one. */
export function readAnalyzerFile(answer: unknown): Result<AnalyzerFile, string> {
  if (typeof answer === 'string') return textFile(answer, defaultName);
  if (!isRecord(answer)) return err(expected);
  const { html, base64, file_name: fileName } = answer;
  const name = typeof fileName === 'string' && fileName.trim() !== '' ? fileName : defaultName;
  if (typeof html === 'string') return textFile(html, name);
  if (typeof base64 !== 'string') return err(expected);
  if (!isBase64(base64)) return err('base64 in the answer of the analyzer is not valid base64.');
  return ok({ bytes: Buffer.from(base64, 'base64'), name });
}

function textFile(text: string, name: string): Result<AnalyzerFile, string> {
  if (text === '') return err('The analyzer returned nothing.');
  return ok({ bytes: Buffer.from(text), name });
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text);
}

/**
 * The file in a runner's `workflow.analyzer_result`: base64 of the gzipped bytes, empty for none. The name is not sent
 * but follows from the content. Throws INVALID_PARAMETER, TOO_LARGE.
 */
export function readPackedFile(result: string): AnalyzerFile | null {
  if (result === '') return null;
  const field = 'payload.result';
  const packed = Buffer.from(isBase64(result) ? result : '', 'base64');
  if (packed[0] !== 0x1f || packed[1] !== 0x8b)
    throw invalidParameter('payload.result must be base64 of a gzipped file.', { field });
  try {
    const bytes = gunzipSync(packed, { maxOutputLength: limits.body_bytes });
    return { bytes, name: nameOf(bytes) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(
        `The unpacked result is larger than body_bytes allows (${limits.body_bytes}).`,
        { field, limit: 'body_bytes', allowed: limits.body_bytes },
      );
    throw invalidParameter('payload.result is not a complete gzip file.', { field });
  }
}

function nameOf(bytes: Uint8Array): string {
  const [a, b, c, d] = bytes;
  if (a === 0x50 && b === 0x4b && c === 3 && d === 4) return 'output.zip';
  if (a === 0x89 && b === 0x50 && c === 0x4e && d === 0x47) return 'output.png';
  return defaultName;
}

/** Pages are shown in a sandbox; every other file is downloaded. */
export function isPage(fileName: string): boolean {
  return /\.html?$/i.test(fileName);
}
