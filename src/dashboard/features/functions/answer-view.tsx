/** The answer of one call, shown by its type. */
import { Button } from '@mantine/core';
import { useCallback } from 'react';
import { Plot } from '../../plots/plot.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { type BranchQuestion, branchOf } from '../../ui/json-branch.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Note } from '../../ui/note.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { readAnswer } from './answer.ts';
import classes from './functions.module.css';

export function AnswerView({ value }: { value: unknown }) {
  const answer = readAnswer(value);
  switch (answer.kind) {
    case 'image':
      return <img className={classes.image} src={answer.source} alt="Result of the function" />;
    case 'figure':
      return <Plot figure={answer.figure} label="Plot returned by the function" height={360} />;
    case 'figures':
      return answer.figures.map(({ name, figure }) => (
        <section key={name} className={classes.figure}>
          <h3>{name}</h3>
          <Plot figure={figure} label={`${name}, returned by the function`} height={240} />
        </section>
      ));
    case 'html':
      return (
        <>
          <Note gap="above">
            The result is an HTML page, which is not displayed here. Save it, or return it from an
            analyzer: reports are displayed in isolation.
          </Note>
          <FormActions apart>
            <Button size="xs" onClick={() => saveFile('answer.html', 'text/html', answer.text)}>
              Save answer.html
            </Button>
          </FormActions>
          {/* a scrolling region must be reachable by keyboard */}
          <pre className={classes.text} tabIndex={0} aria-label="Text of the page">
            {answer.text.slice(0, 20_000)}
          </pre>
        </>
      );
    case 'json':
      return <JsonAnswer value={answer.value} />;
  }
}

function JsonAnswer({ value }: { value: unknown }) {
  const ask = useCallback(
    (question: BranchQuestion) => Promise.resolve(branchOf(value, question)),
    [value],
  );
  if (typeof value === 'object' && value !== null) return <JsonTree ask={ask} />;
  return (
    <pre className={classes.text}>{value === undefined ? 'nothing' : JSON.stringify(value)}</pre>
  );
}
