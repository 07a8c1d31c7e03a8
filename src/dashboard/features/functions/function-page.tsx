/** One cloud function: call it with JSON parameters, wait for its answer or not, and look back at the calls of this tab. */
import { Button, Switch } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Model } from '../../../contract/model.ts';
import { runAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { JsonBox } from '../relations/json-box.tsx';
import { RelationList } from '../relations/relation-list.tsx';
import { RunList } from '../relations/run-list.tsx';
import { readParameters } from './answer.ts';
import { AnswerView } from './answer-view.tsx';
import { type FunctionCall, historyOf, useCalls } from './call-history.ts';
import classes from './functions.module.css';

export interface FunctionPageProps {
  readonly model: Model;
  /** Its newest calls, by any user, are being refetched. */
  readonly isFetching: boolean;
  readonly onRefresh: () => void;
}

export function FunctionPage({ model, isFetching, onRefresh }: FunctionPageProps) {
  const client = useClient();
  const queryClient = useQueryClient();
  const history = historyOf(client);
  const calls = useCalls(history).filter((call) => call.modelId === model.short_id);
  const [text, setText] = useState(calls[0]?.parameters ?? '{}');
  const [waits, setWaits] = useState(true);
  const [chosen, setChosen] = useState<number | null>(null);
  const parameters = readParameters(text);
  const shown = calls.find((call) => call.id === chosen) ?? calls[0];
  const isBuiltin = model.tags.includes('builtin');
  usePageTitle(model.name || model.short_id);
  const call = async () => {
    if (!parameters.ok) return;
    const started = performance.now();
    const at = Date.now();
    const id = history.begin({ modelId: model.short_id, at, parameters: text });
    setChosen(id);
    const body = {
      target: model.short_id,
      action: 'run',
      parameters: parameters.value,
      get_response: waits,
    };
    try {
      const answer = await runAction(queryClient, () => client.invoke({ body }));
      const milliseconds = Math.round(performance.now() - started);
      const state = waits ? ('done' as const) : ('sent' as const);
      history.end(id, { state, milliseconds, answer: answer.cloudfunction_response });
    } catch (error) {
      history.end(id, { state: 'failed', problem: ApiError.from(error).message });
    }
    onRefresh();
  };
  return (
    <>
      <PageHead
        narrow
        title={model.name || model.short_id}
        id={model.short_id}
        facts={isBuiltin ? ['built into this server'] : []}
        actions={
          !isBuiltin && (
            <Button variant="default" component={Link} to={`/models/${model.short_id}`}>
              Edit files
            </Button>
          )
        }
      />
      {model.description && <p className={classes.note}>{model.description}</p>}
      <div className={classes.columns}>
        <div className={classes.stack}>
          <form
            className={classes.card}
            onSubmit={(event) => {
              event.preventDefault();
              void call();
            }}
          >
            <JsonBox
              label="Parameters"
              description='A JSON object with a value for each parameter, such as {"n": 100}.'
              value={text}
              onChange={setText}
              problem={parameters.ok ? undefined : parameters.problem}
            />
            <div className={classes.actions}>
              <Button
                type="submit"
                leftSection={<IconPlayerPlay size={16} />}
                disabled={!parameters.ok}
              >
                Call
              </Button>
              <Switch
                label="Wait for the result"
                checked={waits}
                onChange={(event) => setWaits(event.currentTarget.checked)}
              />
            </div>
          </form>
          {calls.length > 0 && (
            <section className={classes.card} aria-labelledby="calls">
              <h2 id="calls">Calls in this tab</h2>
              <ul className={classes.calls}>
                {calls.map((one) => (
                  <li key={one.id}>
                    <button
                      type="button"
                      className={classes.call}
                      aria-pressed={one.id === shown?.id}
                      onClick={() => {
                        setChosen(one.id);
                        setText(one.parameters);
                      }}
                    >
                      <span data-state={one.state}>{stateText(one)}</span>
                      <code>{one.parameters.replace(/\s+/g, ' ')}</code>
                      <span className={classes.when}>
                        <RelativeTime date={new Date(one.at).toISOString()} />
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <section className={classes.card} aria-labelledby="answer">
          <h2 id="answer">Result</h2>
          <div role="status">
            {shown === undefined && <p className={classes.note}>No calls yet.</p>}
            {shown?.state === 'waiting' && <p className={classes.note}>Waiting for the result.</p>}
            {shown?.state === 'sent' && (
              <p className={classes.note}>
                The call was accepted; this page does not wait for its result.
              </p>
            )}
          </div>
          {shown?.state === 'failed' && <Problem>The call failed: {shown.problem}</Problem>}
          {shown?.state === 'done' && <AnswerView key={shown.id} value={shown.answer} />}
        </section>
        <section className={classes.card} aria-labelledby="relations">
          <header className={classes.head}>
            <h2 id="relations">Called by events</h2>
            <Link to="/relations" search={{ make: true, to: model.short_id }}>
              Join with an event
            </Link>
          </header>
          <RelationList id={model.short_id} none="No event calls it yet." />
        </section>
        {!isBuiltin && (
          <div className={classes.card}>
            <RunList runs={model.runs} isFetching={isFetching} onRefresh={onRefresh} />
          </div>
        )}
      </div>
    </>
  );
}

function stateText({ state, milliseconds }: FunctionCall): string {
  switch (state) {
    case 'waiting':
      return 'Waiting';
    case 'sent':
      return 'Sent';
    case 'failed':
      return 'Failed';
    case 'done':
      return milliseconds === null ? 'Done' : `Done, ${milliseconds} ms`;
  }
}
