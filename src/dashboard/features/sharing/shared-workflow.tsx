/** A shared workflow: its parts, settings and report, read-only. */
import { useQuery } from '@tanstack/react-query';
import type { Workflow } from '../../../contract/workflow.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { Card } from '../../ui/card.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { FileText } from './file-text.tsx';
import classes from './sharing.module.css';

interface ShareAccess {
  readonly shareId: string;
  readonly password: string | undefined;
}

export interface SharedWorkflowProps {
  readonly workflow: Workflow;
  readonly access: ShareAccess;
}

export function SharedWorkflow({ workflow, access }: SharedWorkflowProps) {
  const { name, short_id: id, settings, startup_script, data_script } = workflow;
  const texts = [
    { title: 'Settings', text: settings || 'None; the defaults apply.' },
    // a script is present only if the snapshot includes it
    { title: 'Startup script', text: startup_script },
    { title: 'Data script', text: data_script },
  ];
  return (
    <>
      <PageHead
        title={name || id}
        facts={[
          `Model: ${workflow.model_name || 'none'}`,
          `Data: ${workflow.data_name || 'none'}`,
          'frozen',
        ]}
      />
      <ul className={classes.files}>
        {texts.map(
          ({ title, text }) =>
            text && (
              <Card key={title} as="li" className={classes.file}>
                <h2>{title}</h2>
                <FileText text={text} label={title} />
              </Card>
            ),
        )}
      </ul>
      <SharedReport workflow={workflow} access={access} />
    </>
  );
}

/** Other people's HTML: shown where it cannot reach the app. */
function SharedReport({ workflow, access }: SharedWorkflowProps) {
  const client = useClient();
  const { short_id: id, name } = workflow;
  const { shareId, password } = access;
  const report = useQuery({
    queryKey: objectKeys('workflow').part(id, ['report'], shareId),
    queryFn: async ({ signal }) => {
      const answer = await client.viewObject({
        params: { objid: id },
        query: { 'view-analyzer': true, share_id: shareId },
        sharePassword: password,
        signal,
      });
      return answer.object_type === 'workflow.analyzer' ? answer.url : '';
    },
    // addresses expire within an hour
    staleTime: 30 * 60_000,
    retry: false,
  });
  if (report.isError)
    return (
      <Note gap="around" role="status">
        The report could not be loaded.
      </Note>
    );
  if (!report.data) return null;
  return (
    <Card className={classes.file} aria-labelledby="report">
      <h2 id="report">Report</h2>
      <iframe
        className={classes.report}
        title={`Report of ${name || id}`}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        src={report.data}
      />
    </Card>
  );
}
