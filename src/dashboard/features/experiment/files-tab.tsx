/** Files to take away: the draws as CSV. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { formatCount } from '../../ui/numbers.ts';
import type { Access } from '../live/draws-loader.ts';
import { waitForSampleFile } from '../live/sample-address.ts';
import classes from './experiment.module.css';
import type { LiveExperiment } from './use-live-experiment.ts';

export function FilesTab({
  client,
  live,
  access,
}: {
  client: Client;
  live: LiveExperiment;
  access: Access;
}) {
  const [state, setState] = useState<
    { phase: 'idle' | 'working' } | { phase: 'failed'; reason: string }
  >({ phase: 'idle' });
  const { experiment } = live;
  const download = async () => {
    setState({ phase: 'working' });
    try {
      const url = await waitForSampleFile(client, experiment.short_id, access);
      const link = document.createElement('a');
      link.href = url;
      link.download = `${experiment.name || experiment.short_id}.csv`;
      link.click();
      setState({ phase: 'idle' });
    } catch (error) {
      setState({ phase: 'failed', reason: ApiError.from(error).message });
    }
  };
  const rows = experiment.n_chains * experiment.n_samples * experiment.n_variables;
  return (
    <section aria-label="Files" className={classes.files}>
      <h2>Draws as CSV</h2>
      <p className={classes.dim}>
        One file, no header: chain, variable, value, in iteration order; saved draws of the sampling
        phase, about {formatCount(rows)} rows.
      </p>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.6} />}
        disabled={experiment.n_samples === 0 || state.phase === 'working'}
        onClick={() => void download()}
      >
        {state.phase === 'working' ? 'Preparing the file…' : 'Download CSV'}
      </Button>
      {experiment.n_samples === 0 && <p className={classes.dim}>There are no draws yet.</p>}
      {state.phase === 'failed' && (
        <p role="alert" className={classes.problem}>
          The file could not be made: {state.reason} The draws are not affected.
        </p>
      )}
    </section>
  );
}
