/** Edits Markdown in place. If somebody else has saved in the meantime, their text is shown first. */
import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Card } from './card.tsx';
import { FormActions } from './form-actions.tsx';
import { LazyMarkdown } from './lazy-markdown.tsx';
import classes from './markdown-form.module.css';
import { Problem } from './problem.tsx';

/** How saving ended; see `objects/run-note.ts`. */
type Outcome<Base> =
  | { readonly kind: 'saved' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'changed'; readonly text: string; readonly base: Base };

export interface MarkdownFormProps<Base> {
  /** "Notes": the name of the form and its box. */
  readonly label: string;
  readonly help: string;
  readonly text: string;
  /** What the edit is based on, passed back when it is saved. */
  readonly base: Base;
  readonly saveText: string;
  /** False: an empty text is not saved. */
  readonly mayBeEmpty?: boolean;
  readonly onSave: (text: string, base: Base) => Promise<Outcome<Base>>;
  readonly onClose: () => void;
}

export function MarkdownForm<Base>(props: MarkdownFormProps<Base>) {
  const { label, help, saveText, mayBeEmpty = true, onSave, onClose } = props;
  const [text, setText] = useState(props.text);
  // The page may fetch another text meanwhile: the edit is based on the one that was shown.
  const [base, setBase] = useState(props.base);
  const [view, setView] = useState('write');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [theirs, setTheirs] = useState<string | null>(null);
  const save = async () => {
    setBusy(true);
    setProblem('');
    const outcome = await onSave(text.trim(), base);
    setBusy(false);
    if (outcome.kind === 'saved') return onClose();
    if (outcome.kind === 'failed') return setProblem(outcome.message);
    setBase(outcome.base);
    setTheirs(outcome.text);
  };
  return (
    <Card className={classes.form} aria-label={label}>
      <SegmentedControl
        aria-label={`${label} as`}
        value={view}
        onChange={setView}
        data={[
          { value: 'write', label: 'Write' },
          { value: 'preview', label: 'Preview' },
        ]}
      />
      {view === 'write' ? (
        <Textarea
          aria-label={`${label} in Markdown`}
          description={help}
          inputWrapperOrder={['input', 'description']}
          autosize
          autoFocus
          minRows={4}
          maxRows={16}
          maxLength={20_000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
            if (isSave && (mayBeEmpty || text.trim() !== '')) void save();
            if (event.key === 'Escape' && text === props.text) onClose();
          }}
        />
      ) : (
        <LazyMarkdown text={text} />
      )}
      {theirs !== null && (
        <OtherText
          text={theirs}
          onTake={() => {
            setText(`${theirs}\n\n${text}`.trim());
            setView('write');
          }}
        />
      )}
      {problem !== '' && <Problem>Not saved: {problem}</Problem>}
      <FormActions>
        <Button
          variant="filled"
          loading={isBusy}
          disabled={!mayBeEmpty && text.trim() === ''}
          onClick={() => void save()}
        >
          {theirs === null ? saveText : 'Save mine'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Card>
  );
}

/** What somebody saved meanwhile: to read, and to put before one's own. */
function OtherText({ text, onTake }: { readonly text: string; readonly onTake: () => void }) {
  return (
    <section className={classes.theirs} aria-label="The other text">
      <Problem>
        This text was changed elsewhere while you wrote. Copy what you need; saving replaces it with
        yours.
      </Problem>
      {text === '' ? <em>Their text is empty.</em> : <LazyMarkdown text={text} />}
      <Button size="xs" onClick={onTake}>
        Put it before mine
      </Button>
    </section>
  );
}
