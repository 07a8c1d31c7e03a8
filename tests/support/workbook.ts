/** Workbooks for tests, as small as the format allows. */
import { zipSync } from 'fflate';

/** Null: an empty cell. A date is a day with a date format. */
export type WorkbookCell = string | number | boolean | Date | { readonly percent: number } | null;

export type Sheets = Readonly<Record<string, readonly (readonly WorkbookCell[])[]>>;

const encode = (text: string) => new TextEncoder().encode(text);

const xml = (text: string) => encode(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);

const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

export function makeWorkbook(sheets: Sheets): Uint8Array {
  const names = Object.keys(sheets);
  return zipSync(
    workbookParts(
      names,
      Object.values(sheets).map((rows) => `<sheetData>${rows.map(rowText).join('')}</sheetData>`),
    ),
  );
}

/** The files of a workbook, from the content of its sheets. */
export function workbookParts(
  names: readonly string[],
  contents: readonly string[],
): Record<string, Uint8Array> {
  const parts: Record<string, Uint8Array> = {
    '[Content_Types].xml': xml(
      `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${spreadsheet}" xmlns:r="${relations}"><sheets>${names
        .map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${packages}/relationships">${names
        .map(
          (_, i) =>
            `<Relationship Id="rId${i + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
        )
        .join(
          '',
        )}<Relationship Id="rId99" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ),
    // Formats 14 (a date) and 9 (a percentage) are built in.
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${spreadsheet}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
    ),
  };
  for (const [i, content] of contents.entries())
    parts[`xl/worksheets/sheet${i + 1}.xml`] = xml(
      `<worksheet xmlns="${spreadsheet}">${content}</worksheet>`,
    );
  return parts;
}

function rowText(cells: readonly WorkbookCell[], index: number): string {
  const texts = cells.map((cell, column) => cellText(cell, `${letters(column)}${index + 1}`));
  return `<row r="${index + 1}">${texts.join('')}</row>`;
}

function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

function cellText(cell: WorkbookCell, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string')
    return `<c r="${place}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (cell instanceof Date) {
    const days = cell.getTime() / 86_400_000 + 25_569;
    return `<c r="${place}" s="1"><v>${days}</v></c>`;
  }
  return `<c r="${place}" s="2"><v>${cell.percent}</v></c>`;
}
