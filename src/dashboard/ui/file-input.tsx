/** The browser's own way to pick files or a folder, opened by a button elsewhere: `inputRef.current?.click()`. */
import type { RefObject } from 'react';

export interface FileInputProps {
  readonly label: string;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly what: 'file' | 'files' | 'folder';
  /** Suffixes that are offered; all if absent. */
  readonly accept?: string;
  /** At least one file; the same can be picked again. */
  readonly onPick: (files: readonly File[]) => void;
}

export function FileInput({ label, inputRef, what, accept, onPick }: FileInputProps) {
  return (
    <input
      ref={(element) => {
        // React does not know this attribute.
        if (what === 'folder') element?.setAttribute('webkitdirectory', '');
        inputRef.current = element;
      }}
      type="file"
      multiple={what === 'files'}
      hidden
      accept={accept}
      aria-label={label}
      onChange={(event) => {
        const files = Array.from(event.currentTarget.files ?? []);
        event.currentTarget.value = '';
        if (files.length > 0) onPick(files);
      }}
    />
  );
}
