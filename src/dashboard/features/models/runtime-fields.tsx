/** How a model is run, which is fixed at creation: its runtime, and in how many processes. */
import { Checkbox, Select } from '@mantine/core';
import { modelEnvs } from '../../../contract/model.ts';
import { useConfig } from '../../objects/use-config.ts';
import { runtimeWord } from './model-list-page.tsx';

export interface RuntimeChoice {
  /** Empty: determined by the suffix of the entrance file. */
  readonly env: string;
  readonly singleInstance: boolean;
}

export interface RuntimeFieldProps {
  readonly choice: RuntimeChoice;
  readonly onChange: (change: Partial<RuntimeChoice>) => void;
}

export function RuntimeSelect({ choice, onChange }: RuntimeFieldProps) {
  const runtimes = useConfig()?.runtimes;
  return (
    <Select
      label="Runtime"
      description="Automatic: from the suffix of the entrance file."
      allowDeselect={false}
      value={choice.env}
      onChange={(env) => onChange({ env: env ?? '' })}
      data={[
        { value: '', label: 'Automatic' },
        ...modelEnvs.map((env) => ({ value: env, label: labelOf(env, runtimes) })),
      ]}
    />
  );
}

/** Runtimes that an operator can install. */
const installable = ['python', 'julia', 'r', 'jags'];

/** "JAGS (not installed on this server)": a model may still be stored here and run elsewhere. */
function labelOf(env: string, runtimes: Readonly<Record<string, boolean>> | undefined): string {
  const isMissing = installable.includes(env) && runtimes?.[env] === false;
  return isMissing ? `${runtimeWord(env)} (not installed on this server)` : runtimeWord(env);
}

export function ProcessesBox({ choice, onChange }: RuntimeFieldProps) {
  return (
    <Checkbox
      label="One process runs all chains"
      description="Otherwise each chain is a separate process, where the runtime supports it."
      checked={choice.singleInstance}
      onChange={(event) => onChange({ singleInstance: event.currentTarget.checked })}
    />
  );
}
