/** The way to a prior predictive check: a run of the same program with its likelihood left out. */
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import type { Data } from '../../../../contract/data.ts';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { useAction } from '../../../objects/use-action.ts';
import { HelpLink } from '../../../ui/help-link.tsx';
import { dataWithText } from '../../launching/data-with-text.ts';
import classes from '../run/experiment.module.css';
import type { LiveExperiment } from '../run/use-live-experiment.ts';

export interface PriorPredictiveProps {
  readonly live: LiveExperiment;
  readonly rows: readonly SummaryRow[];
  /** The flag of the data that leaves the likelihood out. */
  readonly flag: { readonly name: string; readonly isSet: boolean } | null;
  /** Of the data. */
  readonly text: string;
}

export function PriorPredictive({ live, rows, flag, text }: PriorPredictiveProps) {
  const { experiment } = live;
  // blocks are known of Stan programs alone
  const isStan = rows.some(({ block }) => block !== undefined);
  if (!experiment.model_id || flag?.isSet === true || (flag === null && !isStan)) return null;
  return (
    <section aria-label="Prior predictive">
      <div className={classes.toolbar}>
        <h2 className={classes.sectionTitle}>Prior predictive</h2>
        <HelpLink topic="predictive" of="prior predictive checks" />
      </div>
      {flag === null ? (
        <AddFlag modelId={experiment.model_id} />
      ) : (
        <RunPrior experiment={experiment} flag={flag.name} text={text} />
      )}
    </section>
  );
}

function AddFlag({ modelId }: { modelId: string }) {
  return (
    <>
      <p className={classes.dim}>
        The program cannot leave its likelihood out. With a flag <code>prior_only</code> in its data
        block, as in brms, it samples the prior alone when the flag is 1.
      </p>
      <Button
        variant="default"
        renderRoot={(props: ComponentProps<'a'>) => (
          <Link
            to="/models/$modelId"
            params={{ modelId }}
            search={{ fix: 'prior-only prior_only' }}
            {...props}
          />
        )}
      >
        Add it in the editor
      </Button>
    </>
  );
}

/** The text of the data with the flag set, all else as it is; null where it cannot be found in it. */
export function withFlagSet(text: string, flag: string): string | null {
  const json = new RegExp(`("${flag}"\\s*:\\s*)0(?![\\d.eE])`);
  const dump = new RegExp(`(^|\\n)(\\s*["\`]?${flag}["\`]?\\s*(?:<-|=)\\s*)0L?(?![\\d.eE])`);
  if (json.test(text)) return text.replace(json, (_, before: string) => `${before}1`);
  return dump.test(text)
    ? text.replace(dump, (_, line: string, name: string) => `${line}${name}1`)
    : null;
}

function RunPrior({
  experiment,
  flag,
  text,
}: {
  experiment: Experiment;
  flag: string;
  text: string;
}) {
  const navigate = useNavigate();
  const prior = withFlagSet(text, flag);
  const { run, isBusy, problem } = useAction(
    async (client) => {
      const name = `${experiment.meta?.data_name || 'Data'}, prior only`.slice(0, 255);
      const { objects } = await client.listObjects({
        query: { object_type: 'data', page_size: 200 },
      });
      const datas = objects.filter((object): object is Data => object.object_type === 'data');
      return dataWithText(client, datas, { name, text: prior ?? '' });
    },
    {
      changes: [objectKeys('data').lists],
      onDone: (data) =>
        navigate({
          to: '/experiments/new',
          search: { model: experiment.model_id ?? '', data, again: experiment.short_id },
        }),
    },
  );
  return (
    <>
      <p className={classes.dim}>
        The data contain <code>{flag}</code>. With a copy in which it is 1, the program samples its
        prior alone; the launch form opens with that copy.
      </p>
      {prior !== null && (
        <Button variant="default" loading={isBusy} onClick={() => void run()}>
          Run with the prior alone
        </Button>
      )}
      {problem !== null && <p role="alert">The data could not be copied: {problem}</p>}
    </>
  );
}
