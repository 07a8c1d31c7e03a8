/** The name of a fetched file, taken from the response or the address and made safe. */
import { segmentProblem } from '../../formats/path-segment.ts';

/** Never empty; `file` if neither gives a usable name. */
export function fileNameOf(url: URL, disposition: string): string {
  const candidates = [nameInDisposition(disposition), decode(url.pathname.split('/').at(-1) ?? '')];
  return candidates.find((name) => name !== '' && segmentProblem(name) === null) ?? 'file';
}

/** RFC 6266: the encoded form takes precedence over the plain one. */
function nameInDisposition(text: string): string {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(text)?.[1];
  if (encoded !== undefined) return decode(encoded);
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(text);
  return plain?.[1] ?? plain?.[2] ?? '';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
