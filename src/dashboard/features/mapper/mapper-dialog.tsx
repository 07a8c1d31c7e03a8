/** The mapper: the file on one side, the variables that the program needs on the other, checked after each choice. */
import { Button, Modal, SegmentedControl, Select, Skeleton, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DataMapping } from '../../../formats/data-meta.ts';
import { rowsText } from '../../../mapping/apply-mapping.ts';
import { useAction } from '../../objects/use-action.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { Form } from '../../ui/form.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { Problem } from '../../ui/problem.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import classes from './mapper.module.css';
import { ReadingOptions, SheetChoice } from './reading-options.tsx';
import { TablePreview } from './table-preview.tsx';
import { type Mapper, type MapperInput, useMapper } from './use-mapper.ts';
import { VariableRows } from './variable-rows.tsx';

export interface MapperDialogProps extends MapperInput {
  /** Absent: the data have a name. */
  readonly suggestedName?: string;
  readonly saveText: string;
  /** Saves the JSON text with values and mapping; rejects with why it could not be saved. */
  readonly onSave: (name: string, text: string) => Promise<void>;
  readonly onClose: () => void;
}

export function MapperDialog(props: MapperDialogProps) {
  const { suggestedName, saveText, onSave, onClose, ...input } = props;
  useReturnFocus();
  const mapper = useMapper(input);
  const [name, setName] = useState(suggestedName ?? '');
  const save = useAction((_, text: string) => onSave(name.trim(), text));
  const blocked = blockedBy(mapper);
  const text = mapper.outcome?.mapped.text;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Map the columns of ${input.name}`}
      size="min(1180px, calc(100vw - 32px))"
      padding={24}
      classNames={{ body: classes.body }}
    >
      {mapper.failure !== null ? (
        <>
          <SheetChoice mapper={mapper} />
          <Problem>{mapper.failure}</Problem>
        </>
      ) : (
        <MapperPanes mapper={mapper} hasProgram={input.service !== null} />
      )}
      <Form
        className={classes.foot}
        onSubmit={() => {
          if (text !== undefined) void save.run(text);
        }}
      >
        {suggestedName !== undefined && (
          <TextInput
            label="Name of the data"
            required
            maxLength={255}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <p className={classes.blocked} aria-live="polite">
          {mapper.failure === null && blocked !== null && <CodeText>{blocked}</CodeText>}
        </p>
        {save.problem !== null && <Problem>Not saved: {save.problem}</Problem>}
        <div className={classes.buttons}>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="filled"
            type="submit"
            loading={save.isBusy}
            disabled={
              mapper.failure !== null ||
              blocked !== null ||
              !mapper.isFresh ||
              (suggestedName !== undefined && name.trim() === '')
            }
          >
            {saveText}
          </Button>
        </div>
      </Form>
    </Modal>
  );
}

function MapperPanes({ mapper, hasProgram }: { mapper: Mapper; hasProgram: boolean }) {
  const { opened, mapping } = mapper;
  if (opened === null || mapping === null) return <Skeleton height={320} aria-label="Reading" />;
  const { table, notes } = opened;
  const problems =
    mapper.outcome?.mapped.problems.filter(({ variable }) => variable === null) ?? [];
  return (
    <div className={classes.panes}>
      <section aria-label="File" className={classes.pane}>
        <SheetChoice mapper={mapper} />
        <TablePreview table={table} mapping={mapping} />
        <ReadingOptions mapper={mapper} />
      </section>
      <section aria-label="Variables" className={classes.pane}>
        <VariableRows mapper={mapper} hasProgram={hasProgram} />
        <RowOptions mapper={mapper} />
        {problems.map(({ message }) => (
          <Problem key={message}>{message}</Problem>
        ))}
        {notes.map((note) => (
          <p key={note} className={classes.note}>
            {note}
          </p>
        ))}
      </section>
    </div>
  );
}

/** Why the mapping cannot be saved yet; null: it can. */
function blockedBy({ outcome }: Mapper): string | null {
  if (outcome === null) return null;
  const { mapping, mapped, check } = outcome;
  const [problem] = mapped.problems;
  if (problem !== undefined && mapped.incomplete.count > 0 && mapping.missing === 'stop')
    return 'Leave out the rows with missing values, or fill them in the file.';
  if (problem !== undefined)
    return problem.variable === null ? problem.message : `Not ready: \`${problem.variable}\`.`;
  if (mapped.numRows === 0) return 'Every row has a missing value.';
  if (check === null) return null;
  if (check.state === 'no-json') return check.message;
  if (check.state !== 'checked') return 'The program has errors, so its data block is not known.';
  const bad = check.rows.filter((row) => !row.isGood);
  const absent = bad.filter(({ found }) => found === 'Missing');
  if (absent.length > 0)
    return `Choose where ${absent.map(({ name }) => `\`${name}\``).join(', ')} ${absent.length === 1 ? 'comes' : 'come'} from.`;
  return bad[0] === undefined ? null : `${bad[0].fault ?? bad[0].found}.`;
}

/** Options for entire rows: those with missing values, and the column that names them. */
function RowOptions({ mapper: { opened, mapping, outcome, change } }: { mapper: Mapper }) {
  if (opened === null || mapping === null) return null;
  const incomplete = outcome?.mapped.incomplete;
  const texts = opened.table.info.filter(({ kind }) => kind === 'text' || kind === 'integer');
  return (
    <div className={classes.options}>
      {incomplete !== undefined && incomplete.count > 0 && (
        <div className={classes.missing}>
          <div>
            <b>
              {formatCount(incomplete.count)} {incomplete.count === 1 ? 'row has' : 'rows have'}{' '}
              missing values
            </b>
            <span className={classes.note}>{rowsText(incomplete.rows, incomplete.count)}</span>
          </div>
          <SegmentedControl
            aria-label="Rows with missing values"
            value={mapping.missing}
            onChange={(value) => change({ missing: value as DataMapping['missing'] })}
            data={[
              { value: 'stop', label: 'Stop' },
              { value: 'drop', label: 'Leave out' },
            ]}
          />
        </div>
      )}
      <Select
        label="Labels of rows"
        placeholder="None"
        description="Labels of the rows, such as names of schools, shown in plots and tables."
        clearable
        data={texts.map(({ name }) => name)}
        value={mapping.rowLabels}
        onChange={(rowLabels) => change({ rowLabels })}
      />
    </div>
  );
}
