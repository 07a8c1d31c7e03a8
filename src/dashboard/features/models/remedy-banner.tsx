/** Says which requested change was made to the program, and what comes next. */
import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { CodeText } from '../../ui/code-text.tsx';
import classes from './editor-tabs.module.css';
import { type RemedyOptions, useRemedy } from './use-remedy.ts';

export function RemedyBanner(props: RemedyOptions) {
  const remedy = useRemedy(props);
  if (remedy === null) return null;
  const { title, takeBack, close } = remedy;
  return (
    <div className={classes.banner} role="status">
      <IconPencil size={16} aria-hidden="true" />
      {takeBack === null ? (
        <span>The program has changed since: there is nothing to apply.</span>
      ) : (
        <span>
          Applied: <CodeText>{title}</CodeText>. Not saved yet. “Save and run” samples it.
        </span>
      )}
      {takeBack !== null && (
        <Button size="xs" onClick={takeBack}>
          Undo
        </Button>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={close}>
        Close
      </Button>
    </div>
  );
}
