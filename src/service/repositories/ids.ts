/** Makes object ids: the kind's letter and seven random characters. */
import { customAlphabet } from 'nanoid';
import { kindLetters, type ObjectKind } from '../../contract/common.ts';

const randomPart = customAlphabet(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  7,
);

export function newObjectId(kind: ObjectKind): string {
  return kindLetters[kind] + randomPart();
}
