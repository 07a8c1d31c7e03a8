/** A box for JSON: shows the position of an error, jumps to it, and formats valid text. */
import { Button, Textarea } from '@mantine/core';
import { useRef } from 'react';
import classes from './json-box.module.css';
import { faultText, findJsonFault } from './json-place.ts';

export interface JsonBoxProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** What is wrong although it is valid JSON. */
  readonly problem?: string;
  readonly minRows?: number;
}

export function JsonBox(props: JsonBoxProps) {
  const { label, description, value, onChange, problem, minRows = 6 } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const fault = value.trim() === '' ? null : findJsonFault(value);
  const tidied = fault === null ? tidy(value) : null;
  const goThere = () => {
    if (fault === null || box.current === null) return;
    const lines = value.split('\n').slice(0, fault.line - 1);
    const place = lines.reduce((sum, line) => sum + line.length + 1, 0) + fault.column - 1;
    box.current.focus();
    box.current.setSelectionRange(place, place + 1);
  };
  return (
    <div className={classes.box}>
      <Textarea
        ref={box}
        label={label}
        description={description}
        autosize
        minRows={minRows}
        maxRows={20}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: classes.input }}
        value={value}
        error={fault === null ? problem : faultText(fault)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={classes.tools}>
        {fault !== null && (
          <Button size="xs" variant="subtle" color="gray" onClick={goThere}>
            Go to line {fault.line}
          </Button>
        )}
        {tidied !== null && tidied !== value && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => onChange(tidied)}>
            Format
          </Button>
        )}
      </div>
    </div>
  );
}

/** Null if more than white space would change: numbers that JSON would write differently stay as they are. */
function tidy(text: string): string | null {
  if (text.trim() === '') return null;
  const tidied = JSON.stringify(JSON.parse(text), null, 2);
  const bare = (one: string) => one.replace(/\s/g, '');
  return bare(tidied) === bare(text) ? tidied : null;
}
