/** What an entry of the gallery holds. */

export interface GalleryModel {
  /** Stable, kebab-case: part of addresses. */
  readonly slug: string;
  /** As a person reads it; becomes the model's name. */
  readonly name: string;
  /** What it is and what it shows, in one line. */
  readonly summary: string;
  /** Where the data come from, and on what terms. */
  readonly origin: string;
  /** Text by path; program files only. */
  readonly files: Readonly<Record<string, string>>;
  /** A path of `files`. */
  readonly entranceFile: string;
  /** Data as JSON text, with the name its data object gets. */
  readonly data: { readonly name: string; readonly json: string };
  /** What differs from the usual `sampling` settings, by their wire names. */
  readonly settings?: Readonly<Record<string, number | string | boolean>>;
}
