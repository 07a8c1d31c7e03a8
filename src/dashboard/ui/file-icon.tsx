/** The icon of a file, chosen by its name. */
import {
  IconBraces,
  IconFile,
  IconFileCode,
  IconMarkdown,
  IconPhoto,
  IconSettings,
  IconTable,
} from '@tabler/icons-react';

const bySuffix: Readonly<Record<string, typeof IconFile>> = {
  stan: IconFileCode,
  py: IconFileCode,
  r: IconFileCode,
  jl: IconFileCode,
  js: IconFileCode,
  json: IconBraces,
  csv: IconTable,
  tsv: IconTable,
  md: IconMarkdown,
  yaml: IconSettings,
  yml: IconSettings,
  toml: IconSettings,
  png: IconPhoto,
  jpg: IconPhoto,
  jpeg: IconPhoto,
  svg: IconPhoto,
};

export function FileIcon({ name }: { name: string }) {
  const Icon = bySuffix[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? IconFile;
  return <Icon size={16} aria-hidden="true" />;
}
