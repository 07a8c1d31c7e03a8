/** Settings in a package: what the user wrote, and defaults for sections that clients read without checking. */
import { type Document, isMap, parseDocument } from 'yaml';
import { packageDefaults } from '../../formats/run-package.ts';
import { readSettingsYaml } from './settings-yaml.ts';

/** The text with its comments; unchanged if it is invalid or complete. Takes as long as reading it. */
export function withPackageSections(text: string): string {
  if (!readSettingsYaml(text).ok) return text;
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
  if (!isMap(document.contents)) return text;
  let isChanged = false;
  for (const [section, values] of Object.entries(packageDefaults))
    isChanged = fill(document, [section], values) || isChanged;
  return isChanged ? document.toString({ lineWidth: 0, flowCollectionPadding: false }) : text;
}

/** Returns whether anything was missing. Existing values stay, even if they are not sections. */
function fill(document: Document, path: readonly string[], value: unknown): boolean {
  const there = document.getIn(path, true);
  const isAbsent = there === undefined || document.getIn(path) === null;
  if (isAbsent) {
    document.setIn(path, document.createNode(value));
    return true;
  }
  if (!isMap(there) || typeof value !== 'object' || value === null) return false;
  const members = Object.entries(value);
  return members.map(([key, member]) => fill(document, [...path, key], member)).some(Boolean);
}
