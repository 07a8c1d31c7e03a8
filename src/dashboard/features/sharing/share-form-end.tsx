/** The end of a share form: the note on loopback addresses, errors, missing fields, and its buttons. */
import { IconLink } from '@tabler/icons-react';
import { FormActions, SubmitButtons } from '../../ui/form-actions.tsx';
import { Problem } from '../../ui/problem.tsx';
import { LoopbackNote } from './loopback-note.tsx';
import classes from './sharing.module.css';

export interface ShareFormEndProps {
  readonly problem: string | null;
  /** What must be filled in first; null: nothing. */
  readonly missing: string | null;
  readonly isBusy: boolean;
  /** The label of the share button. */
  readonly label: string;
  readonly onClose: () => void;
}

export function ShareFormEnd({ problem, missing, isBusy, label, onClose }: ShareFormEndProps) {
  return (
    <>
      <LoopbackNote />
      {problem !== null && <Problem gap="above">Not shared: {problem}</Problem>}
      <FormActions end>
        {missing !== null && <span className={classes.reason}>{missing}</span>}
        <SubmitButtons
          onCancel={onClose}
          loading={isBusy}
          disabled={missing !== null}
          leftSection={<IconLink size={16} />}
        >
          {label}
        </SubmitButtons>
      </FormActions>
    </>
  );
}
