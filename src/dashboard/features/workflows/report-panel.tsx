/** The result of an analysis: other people's HTML, isolated from the app. */
import { Button } from '@mantine/core';
import { IconDownload, IconExternalLink, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Workflow } from '../../../contract/workflow.ts';
import { useClient } from '../../objects/use-client.ts';
import { Card } from '../../ui/card.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { analysisOf, reportQueryOptions } from './analysis.ts';
import classes from './workflows.module.css';

export function ReportPanel({ workflow }: { workflow: Workflow }) {
  const client = useClient();
  const analysis = analysisOf(workflow);
  const url = useQuery(reportQueryOptions(client, workflow)).data ?? '';
  return (
    <Card className={classes.panel} aria-labelledby="report">
      <header>
        <h2 id="report">Report</h2>
        {url !== '' && (
          <>
            <span className={classes.dim}>
              <IconShieldLock size={14} aria-hidden="true" /> Shown isolated from the app
            </span>
            <Button
              component="a"
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconExternalLink size={14} />}
            >
              Open
            </Button>
            <Button
              component="a"
              href={url}
              download={`${workflow.name || workflow.short_id}.html`}
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconDownload size={14} />}
            >
              HTML
            </Button>
          </>
        )}
      </header>
      <p className={classes.state} role="status">
        <StateWords analysis={analysis} hasExperiment={Boolean(workflow.experiment_id)} />
      </p>
      {analysis.errlines.length > 0 && (
        <details className={classes.errlines} open={analysis.state === 'error'}>
          <summary>Analyzer log</summary>
          <pre>{analysis.errlines.join('\n')}</pre>
        </details>
      )}
      {url !== '' && (
        <iframe
          key={url}
          className={classes.report}
          title={`Report of ${workflow.name || workflow.short_id}`}
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          src={url}
        />
      )}
    </Card>
  );
}

interface StateWordsProps {
  readonly analysis: ReturnType<typeof analysisOf>;
  readonly hasExperiment: boolean;
}

function StateWords({ analysis, hasExperiment }: StateWordsProps) {
  switch (analysis.state) {
    case 'none':
      return hasExperiment
        ? 'No report yet. Run analysis to make a report of the newest experiment.'
        : 'No report yet. Run the sampling first, then the analysis.';
    case 'running':
      return 'The analyzer is running. The report will appear here.';
    case 'done':
      return (
        <>
          Made <RelativeTime date={analysis.finishedAt} />
        </>
      );
    case 'error':
      return (
        <>
          The analysis failed
          {analysis.returnCode === null ? '' : ` with code ${analysis.returnCode}`},{' '}
          <RelativeTime date={analysis.finishedAt} />
        </>
      );
  }
}
