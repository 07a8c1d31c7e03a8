/** The part of a workflow selected in its diagram, to be edited and saved. */
import { Button } from '@mantine/core';
import type { ServerConfig } from '../../../contract/system.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { Card } from '../../ui/card.tsx';
import type { EditablePart } from './flow-picture.tsx';
import { AnalyzerPanel, DataPanel, ScriptField } from './part-panels.tsx';
import { SamplingPanel } from './sampling-panel.tsx';
import type { WorkflowEdits } from './use-workflow.ts';
import classes from './workflows.module.css';

const partTitles: Readonly<Record<EditablePart, string>> = {
  sampling: 'Sampling',
  data: 'Data',
  analyzer: 'Analyzer',
};

interface PartFieldsProps {
  readonly part: EditablePart;
  readonly config: ServerConfig | null | undefined;
  readonly workflow: Workflow;
  readonly edits: WorkflowEdits;
}

export interface MarkedPartProps extends PartFieldsProps {
  readonly isSaving: boolean;
  readonly onSave: () => Promise<unknown>;
}

export function MarkedPart({ isSaving, onSave, ...fields }: MarkedPartProps) {
  const { isEdited } = fields.edits;
  return (
    <Card className={classes.panel} aria-labelledby="part">
      <header>
        <h2 id="part">{partTitles[fields.part]}</h2>
        <span className={classes.dim}>the marked part</span>
        <Button size="xs" disabled={!isEdited} loading={isSaving} onClick={() => void onSave()}>
          {isEdited ? 'Save' : 'Saved'}
        </Button>
      </header>
      <div className={classes.body}>
        <PartFields {...fields} />
      </div>
    </Card>
  );
}

function PartFields({ part, config, workflow, edits: { parts, edit } }: PartFieldsProps) {
  switch (part) {
    case 'sampling':
      return (
        <>
          <SamplingPanel
            modelId={workflow.model_id ?? ''}
            text={parts.settings}
            onChange={(settings) => edit({ settings })}
          />
          <ScriptField
            label="Startup script"
            help="For models in other languages: the script that starts sampling. Stan programs need none."
            text={parts.startup_script}
            onChange={(startup_script) => edit({ startup_script })}
          />
        </>
      );
    case 'data':
      return (
        <DataPanel
          config={config}
          dataId={parts.data_id}
          dataName={workflow.data_name ?? ''}
          script={parts.data_script}
          onData={(data_id) => edit({ data_id })}
          onScript={(data_script) => edit({ data_script })}
        />
      );
    case 'analyzer':
      return (
        <AnalyzerPanel
          analyzerId={parts.analyzer_id}
          analyzerName={workflow.analyzer_name ?? ''}
          onAnalyzer={(analyzer_id) => edit({ analyzer_id })}
        />
      );
  }
}
