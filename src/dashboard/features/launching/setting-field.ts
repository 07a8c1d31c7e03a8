/** A setting as forms have it. */

/** Text by key as users write it; empty or absent: the default. */
export type SettingTexts = Readonly<Record<string, string>>;

export interface SettingField {
  readonly key: string;
  readonly label: string;
  readonly meaning: string;
  readonly allowed: string;
  /** What an empty field means, as the field shows it. */
  readonly placeholder: string;
  readonly input: 'number' | 'choice' | 'switch' | 'text';
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly advanced: boolean;
}
