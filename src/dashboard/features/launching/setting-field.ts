/** A setting in a form. */

/** Text by key as users write it; empty or absent: the default. */
export type SettingTexts = Readonly<Record<string, string>>;

export interface SettingField {
  readonly key: string;
  readonly label: string;
  readonly meaning: string;
  readonly allowed: string;
  /** The meaning of an empty field, shown in the field. */
  readonly placeholder: string;
  readonly input: 'number' | 'choice' | 'switch' | 'text';
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly advanced: boolean;
}
