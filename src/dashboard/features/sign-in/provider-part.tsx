/** *Sign in with* the identity provider, above the form for this server's own accounts. */
import { Button, Divider } from '@mantine/core';
import { Problem } from '../../ui/problem.tsx';
import classes from './sign-in.module.css';

export interface ProviderPartProps {
  readonly name: string;
  /** Why it cannot be used at present, or what just went wrong. */
  readonly problem: string | null;
  readonly isBusy: boolean;
  readonly onBegin: () => void;
  /** Something follows below. */
  readonly hasOthers: boolean;
}

export function ProviderPart({ name, problem, isBusy, onBegin, hasOthers }: ProviderPartProps) {
  return (
    <div className={classes.provider}>
      {problem !== null && <Problem>{problem}</Problem>}
      <Button variant="filled" fullWidth loading={isBusy} onClick={onBegin}>
        <span className={classes.providerName}>Sign in with {name}</span>
      </Button>
      {hasOthers && <Divider label="or with an account of this server" />}
    </div>
  );
}
