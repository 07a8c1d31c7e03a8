/** Program changes that may fix a failing run: listed under the verdict, shown as a diff, opened in the editor. */
import { Button, Modal, useComputedColorScheme } from '@mantine/core';
import { IconArrowRight, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo, useState } from 'react';
import type { Experiment, VerdictCheck } from '../../../../contract/experiment.ts';
import type { Model } from '../../../../contract/model.ts';
import { fromContent } from '../../../editor/file-tree.ts';
import { DiffView } from '../../../editor/lazy-editor.ts';
import type { OfferedRemedy } from '../../../editor/stan-protocol.ts';
import type { StanFiles } from '../../../editor/stan-service.ts';
import { stanFilesOf, useStan } from '../../../editor/use-stan.ts';
import { objectQueryOptions } from '../../../objects/object-queries.ts';
import { useClient } from '../../../objects/use-client.ts';
import { CodeText } from '../../../ui/code-text.tsx';
import { FormActions } from '../../../ui/form-actions.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { isCalibration } from '../run/run-facts.ts';
import classes from './remedies.module.css';

export interface RemediesProps {
  readonly experiment: Experiment;
  /** The checks that failed; empty if the run itself failed. */
  readonly failed: readonly VerdictCheck[];
}

/** Renders nothing if the program has no such pattern, is not Stan, or no longer exists. */
export function Remedies({ experiment, failed }: RemediesProps) {
  const client = useClient();
  const modelId = experiment.model_id ?? '';
  const model = useQuery({
    ...objectQueryOptions(client, 'model', modelId),
    enabled: modelId !== '',
    retry: false,
  }).data;
  const files = useMemo(
    () => (model?.content ? stanFilesOf(fromContent(model.content)) : null),
    [model],
  );
  if (model === undefined || files === null || files.entrance === null) return null;
  return <OfStan experiment={experiment} failed={failed} model={model} files={files} />;
}

interface OfStanProps extends RemediesProps {
  readonly model: Model;
  readonly files: StanFiles;
}

function OfStan({ experiment, failed, model, files }: OfStanProps) {
  const found = useRemedies(files);
  const [open, setOpen] = useState<OfferedRemedy | null>(null);
  const lacking = isCalibration(experiment) && failed.length === 0 ? forSimulation(found) : [];
  const fitting = [...lacking, ...found.filter((remedy) => isFitting(remedy, failed))].slice(
    0,
    most,
  );
  if (fitting.length === 0) return null;
  return (
    <ul className={classes.remedies} aria-label="Changes to the program">
      {fitting.map((remedy) => (
        <li key={remedy.title}>
          <Button
            size="compact-sm"
            leftSection={<IconPencil size={14} />}
            rightSection={<IconArrowRight size={13} />}
            onClick={() => setOpen(remedy)}
          >
            {/* A single element, or the spaces between its parts are lost. */}
            <span>
              <CodeText>{remedy.title}</CodeText>
            </span>
          </Button>
        </li>
      ))}
      {open !== null && (
        <RemedyDialog
          remedy={open}
          modelId={model.short_id}
          place={{ ran: experiment.meta?.model_version ?? null, newest: model.version ?? null }}
          onClose={() => setOpen(null)}
        />
      )}
    </ul>
  );
}

/** More would hide the checks above them. */
const most = 4;

function useRemedies(files: StanFiles): readonly OfferedRemedy[] {
  const { service, checked } = useStan(files);
  const [remedies, setRemedies] = useState<readonly OfferedRemedy[]>([]);
  useEffect(() => {
    if (checked === null) return;
    let isOld = false;
    service.ask('remedies', {}).then(
      (found) => !isOld && setRemedies(found),
      // Without the language service nothing is offered.
      () => undefined,
    );
    return () => {
      isOld = true;
    };
  }, [service, checked]);
  return remedies;
}

/** What a program that cannot simulate its data lacks: both parts, or only the flag. */
function forSimulation(found: readonly OfferedRemedy[]): readonly OfferedRemedy[] {
  const of = (kind: OfferedRemedy['kind']) => found.filter((remedy) => remedy.kind === kind);
  const both = of('replicated-data');
  return both.length > 0 ? both : of('prior-only');
}

/** Geometric problems, which any of them may fix; R-hat and ESS alone point at variables. */
const geometric = new Set(['divergences', 'ebfmi', 'treedepth']);

export function isFitting(
  { kind, involved }: Pick<OfferedRemedy, 'kind' | 'involved'>,
  failed: readonly VerdictCheck[],
): boolean {
  if (kind === 'bounds') return true;
  // offered where the prior is shown, and where data are to be simulated
  if (kind === 'prior-only' || kind === 'replicated-data') return false;
  return failed.some(({ name, variable }) => {
    if (geometric.has(name)) return true;
    const worst = (variable ?? '').replace(/\[.*/, '');
    return involved.includes(worst) || worst === 'lp__';
  });
}

interface RemedyDialogProps {
  readonly remedy: OfferedRemedy;
  readonly modelId: string;
  readonly place: { readonly ran: number | null; readonly newest: number | null };
  readonly onClose: () => void;
}

function RemedyDialog({ remedy, modelId, place, onClose }: RemedyDialogProps) {
  useReturnFocus();
  const scheme = useComputedColorScheme('light');
  const search = { fix: `${remedy.kind} ${remedy.parameter}`, file: remedy.files[0]?.path ?? '' };
  const isLater = place.ran !== null && place.newest !== null && place.newest !== place.ran;
  return (
    <Modal opened onClose={onClose} size={900} title={<CodeText>{remedy.title}</CodeText>}>
      <p className={classes.reason}>
        <CodeText>{remedy.reason}</CodeText>
        {isLater && ` The change is to v${place.newest} of the model; this run used v${place.ran}.`}
      </p>
      {remedy.files.map(({ path, before, after }) => (
        <section key={path} className={classes.file} aria-label={`Changes to ${path}`}>
          <Suspense fallback={<p>Loading the comparison…</p>}>
            <DiffView path={path} theirs={before} mine={after} scheme={scheme} />
          </Suspense>
        </section>
      ))}
      <FormActions end>
        <Button onClick={onClose}>Cancel</Button>
        <LinkButton variant="filled" to="/models/$modelId" params={{ modelId }} search={search}>
          Apply in the editor
        </LinkButton>
      </FormActions>
    </Modal>
  );
}
