/** The settings of a launch, each a field of a form or a line of a panel. */
import { Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../ui/numbers.ts';
import { fieldsOf } from './launch-settings.ts';
import type { SettingField } from './setting-field.ts';
import classes from './setting-input.module.css';
import type { Launch } from './use-launch.ts';

export interface SettingInputProps {
  readonly field: SettingField;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly problem: string | undefined;
  /** `line`: label on the left, value on the right, help only on hover. */
  readonly shape: 'field' | 'line';
  readonly isDisabled?: boolean;
}

export function SettingInput(props: SettingInputProps) {
  const { field, text, onChange, problem, shape, isDisabled: disabled = false } = props;
  const { label, meaning, placeholder, input, choices } = field;
  const [isTyping, setIsTyping] = useState(false);
  const isLine = shape === 'line';
  const common = isLine
    ? { disabled, 'aria-label': label, title: meaning }
    : { disabled, label, description: problem === undefined ? meaning : undefined };
  const control =
    input === 'switch' ? (
      <Switch
        {...common}
        size="xs"
        checked={(text || placeholder) === 'true'}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    ) : input === 'choice' ? (
      <Select
        {...common}
        data={[...choices]}
        value={text || placeholder}
        allowDeselect={false}
        onChange={(value) => onChange(value ?? '')}
        error={problem}
        withCheckIcon={false}
      />
    ) : (
      <TextInput
        {...common}
        value={isTyping ? text : grouped(text)}
        onBlur={() => setIsTyping(false)}
        placeholder={placeholder}
        inputMode={input === 'number' ? 'decimal' : 'text'}
        onChange={(event) => {
          setIsTyping(true);
          onChange(event.currentTarget.value);
        }}
        error={problem}
        spellCheck={false}
        autoComplete="off"
      />
    );
  if (!isLine) return <div className={classes.field}>{control}</div>;
  return (
    <div className={classes.line} data-problem={problem !== undefined || undefined}>
      <span title={meaning}>{label}</span>
      {control}
    </div>
  );
}

export interface SettingInputsProps extends Pick<SettingInputProps, 'shape'> {
  readonly launch: Launch;
  /** The usual settings, or the others. */
  readonly advanced: boolean;
  readonly className: string | undefined;
}

export function SettingInputs({ launch, advanced, shape, className }: SettingInputsProps) {
  return (
    <div className={className}>
      {fieldsOf(launch.texts)
        .filter((field) => field.advanced === advanced)
        .map((field) => (
          <SettingInput
            key={field.key}
            shape={shape}
            field={field}
            isDisabled={launch.isReading}
            text={launch.texts[field.key] ?? ''}
            problem={launch.problems.get(field.key)}
            onChange={(text) => launch.setText(field.key, text)}
          />
        ))}
    </div>
  );
}

/** Separates thousands, but not during typing, or the cursor would jump. */
function grouped(text: string): string {
  const digits = text.replace(/[\s\u202f]/g, '');
  return /^\d{4,9}$/.test(digits) ? formatCount(Number(digits)) : text;
}
