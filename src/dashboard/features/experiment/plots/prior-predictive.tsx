/** Leads to a prior predictive check: a run of the same program without its likelihood. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Data } from '../../../../contract/data.ts';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import type { TreeNode } from '../../../../contract/model.ts';
import { fromBase64 } from '../../../../formats/base64.ts';
import { declaredFlag } from '../../../../language/data-flag.ts';
import { priorFlags } from '../../../../posterior/predictive/pairing.ts';
import { objectQueryOptions } from '../../../objects/object-queries.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { useAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { HelpLink } from '../../../ui/help-link.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { dataWithText } from '../../launching/data-with-text.ts';
import classes from '../run/experiment.module.css';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import own from './predictive.module.css';

export interface PriorPredictiveProps {
  readonly live: LiveExperiment;
  readonly rows: readonly SummaryRow[];
  /** The flag in the data that turns the likelihood off. */
  readonly flag: { readonly name: string; readonly isSet: boolean } | null;
  /** Of the data. */
  readonly text: string;
}

export function PriorPredictive({ live, rows, flag, text }: PriorPredictiveProps) {
  const { experiment } = live;
  const modelId = experiment.model_id ?? '';
  // blocks are known only for Stan programs
  const isStan = rows.some(({ block }) => block !== undefined);
  const declared = useDeclaredFlag(flag === null && isStan ? modelId : '');
  if (modelId === '' || flag?.isSet === true || (flag === null && !isStan)) return null;
  if (declared === undefined) return null;
  const name = flag?.name ?? declared;
  return (
    <section aria-label="Prior predictive">
      <div className={classes.toolbar}>
        <h2 className={classes.sectionTitle}>Prior predictive</h2>
        <HelpLink topic="predictive" of="prior predictive checks" />
      </div>
      {name === null ? (
        <AddFlag modelId={modelId} />
      ) : (
        <RunPrior experiment={experiment} flag={name} isInData={flag !== null} text={text} />
      )}
    </section>
  );
}

/** The Stan files of a model's tree. */
function programTexts(tree: readonly TreeNode[]): string[] {
  return tree.flatMap(({ name, content, encoding, children }) => {
    if (children) return programTexts(children);
    if (!name.endsWith('.stan') || !content) return [];
    if (encoding === 'text') return [content];
    const bytes = fromBase64(content);
    return bytes === null ? [] : [new TextDecoder().decode(bytes)];
  });
}

/** The flag in the current program's data block, which a run's data may lack; undefined: not known yet. */
function useDeclaredFlag(modelId: string): string | null | undefined {
  const client = useClient();
  const query = useQuery({
    ...objectQueryOptions(client, 'model', modelId),
    enabled: modelId !== '',
  });
  const content = query.data?.content;
  return useMemo(() => {
    if (modelId === '' || query.isError) return null;
    if (content === undefined || content === null) return query.isPending ? undefined : null;
    const sources = programTexts(content.tree);
    return sources.map((source) => declaredFlag(source, priorFlags)).find(Boolean) ?? null;
  }, [modelId, content, query.isError, query.isPending]);
}

function AddFlag({ modelId }: { modelId: string }) {
  return (
    <>
      <p className={classes.dim}>
        The program cannot leave its likelihood out. With a flag <code>prior_only</code> in its data
        block, as in brms, it samples the prior alone when the flag is 1.
      </p>
      <LinkButton
        to="/models/$modelId"
        params={{ modelId }}
        search={{ fix: 'prior-only prior_only' }}
      >
        Add it in the editor
      </LinkButton>
    </>
  );
}

/** The text of the data with the missing flag added; null if it is neither JSON nor an R dump. */
export function withFlagAdded(text: string, flag: string): string | null {
  const trimmed = text.trimStart();
  if (trimmed.startsWith('{')) {
    const isEmpty = /^\{\s*\}/.test(trimmed);
    return trimmed.replace('{', `{"${flag}": 1${isEmpty ? '' : ', '}`);
  }
  return /<-|=/.test(text) ? `${text.trimEnd()}\n${flag} <- 1\n` : null;
}

/** The text of the data with the flag set and all else unchanged; null if the flag is not found. */
export function withFlagSet(text: string, flag: string): string | null {
  const json = new RegExp(`("${flag}"\\s*:\\s*)0(?![\\d.eE])`);
  const dump = new RegExp(`(^|\\n)(\\s*["\`]?${flag}["\`]?\\s*(?:<-|=)\\s*)0L?(?![\\d.eE])`);
  if (json.test(text)) return text.replace(json, (_, before: string) => `${before}1`);
  return dump.test(text)
    ? text.replace(dump, (_, line: string, name: string) => `${line}${name}1`)
    : null;
}

/** Maximum number of characters of the data to show. */
const mostShown = 2000;

/** The text, or its part around the flag. */
function excerptOf(text: string, flag: string): string {
  if (text.length <= mostShown) return text;
  const from = Math.max(0, text.indexOf(flag) - mostShown / 2);
  const part = text.slice(from, from + mostShown);
  return `${from > 0 ? '…' : ''}${part}${from + mostShown < text.length ? '…' : ''}`;
}

function RunPrior({
  experiment,
  flag,
  isInData,
  text,
}: {
  experiment: Experiment;
  flag: string;
  /** Otherwise only the program has it, and it is added to the data. */
  isInData: boolean;
  text: string;
}) {
  const navigate = useNavigate();
  const prior = isInData ? withFlagSet(text, flag) : withFlagAdded(text, flag);
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
        {isInData ? (
          <>
            The data contain <code>{flag}</code>. With a copy in which it is 1,
          </>
        ) : (
          <>
            The program has the flag <code>{flag}</code>, which the data of this run lack. With a
            copy to which <code>{flag} = 1</code> is added,
          </>
        )}{' '}
        the program samples its prior alone; the launch form opens with that copy.
      </p>
      {prior !== null && (
        <details className={own.made}>
          <summary>The data with the flag set</summary>
          <pre className={own.snippet}>{excerptOf(prior, flag)}</pre>
        </details>
      )}
      {prior !== null && (
        <Button loading={isBusy} onClick={() => void run()}>
          Run with the prior alone
        </Button>
      )}
      {problem !== null && <p role="alert">The data could not be copied: {problem}</p>}
    </>
  );
}
