/** A run by its name, as a link; for somebody else's run only that it is one. */
import { Link } from '@tanstack/react-router';

export interface WhichRunProps {
  readonly run: { readonly experiment_id: string | null; readonly name: string };
}

export function WhichRun({ run: { experiment_id: id, name } }: WhichRunProps) {
  if (id === null) return <>Another person’s run</>;
  return (
    <Link to="/experiments/$experimentId" params={{ experimentId: id }} title={name}>
      {name || id}
    </Link>
  );
}
