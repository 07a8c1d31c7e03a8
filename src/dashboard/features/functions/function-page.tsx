/** One cloud function: call it with JSON parameters, wait for its answer or not, and look back at the calls of this tab. */
import { Button, SegmentedControl, Switch, useComputedColorScheme } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FunctionParameter, Model } from '../../../contract/model.ts';
import { usePageTitle } from '../../ui/breadcrumbs.tsx';
import { Card } from '../../ui/card.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { JsonBox } from '../relations/json-box.tsx';
import { RelationList } from '../relations/relation-list.tsx';
import { RunList } from '../relations/run-list.tsx';
import { AnswerView } from './answer-view.tsx';
import type { FunctionCall } from './call-history.ts';
import classes from './functions.module.css';
import { ParameterFields } from './parameter-fields.tsx';
import { type FunctionCalls, useFunctionCalls } from './use-function-calls.ts';

export interface FunctionPageProps {
  readonly model: Model;
  /** Its newest calls, by any user, are being refetched. */
  readonly isFetching: boolean;
  readonly onRefresh: () => void;
}

export function FunctionPage({ model, isFetching, onRefresh }: FunctionPageProps) {
  const calls = useFunctionCalls(model.short_id, useStart(model), onRefresh);
  const isBuiltin = model.tags.includes('builtin');
  usePageTitle(model.name || model.short_id);
  return (
    <>
      <PageHead
        narrow
        title={model.name || model.short_id}
        id={model.short_id}
        facts={isBuiltin ? ['built into this server'] : []}
        actions={
          !isBuiltin && (
            <Button component={Link} to={`/models/${model.short_id}`}>
              Edit files
            </Button>
          )
        }
      />
      {model.description && <Note gap="above">{model.description}</Note>}
      <div className={classes.columns}>
        <div className={classes.stack}>
          <CallForm calls={calls} parameters={model.parameters ?? []} />
          {calls.calls.length > 0 && <CallList calls={calls} />}
        </div>
        <Result call={calls.shown} />
        <Card padded aria-labelledby="relations">
          <header className={classes.head}>
            <h2 id="relations">Called by events</h2>
            <Link to="/relations" search={{ make: true, to: model.short_id }}>
              Join with an event
            </Link>
          </header>
          <RelationList id={model.short_id} none="No event calls it yet." />
        </Card>
        {!isBuiltin && (
          <Card as="div" padded>
            <RunList runs={model.runs} isFetching={isFetching} onRefresh={onRefresh} />
          </Card>
        )}
      </div>
    </>
  );
}

/** A figure should be readable on this page. */
function useStart({ parameters = [] }: Model): Readonly<Record<string, unknown>> {
  // Read synchronously: the parameters of a first call are set only once.
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const hasTheme = parameters.some(
    ({ name, choices }) => name === 'theme' && choices?.includes(scheme),
  );
  return hasTheme && scheme === 'dark' ? { theme: scheme } : {};
}

interface CallFormProps {
  readonly calls: FunctionCalls;
  /** Parameters the function declares; empty: it declares none. */
  readonly parameters: readonly FunctionParameter[];
}

function CallForm({ calls, parameters }: CallFormProps) {
  const { text, setText, values, problem, waits, setWaits, call } = calls;
  const [shape, setShape] = useState<'form' | 'json'>('form');
  const hasForm = parameters.length > 0;
  const missing = parameters.find(({ name, required }) => required && !values?.[name]);
  return (
    <Card
      as="form"
      padded
      onSubmit={(event) => {
        event.preventDefault();
        void call();
      }}
    >
      {hasForm && (
        <SegmentedControl
          mb={12}
          aria-label="Parameters as"
          value={shape}
          onChange={(value) => setShape(value as 'form' | 'json')}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      )}
      {hasForm && shape === 'form' && values !== null ? (
        <ParameterFields
          parameters={parameters}
          values={values}
          onChange={(next) => setText(JSON.stringify(next, null, 2))}
        />
      ) : (
        <JsonBox
          label="Parameters"
          description={
            hasForm
              ? `A JSON object of ${parameters.map(({ name }) => name).join(', ')}.`
              : 'A JSON object with a value for each parameter, such as {"n": 100}.'
          }
          value={text}
          onChange={setText}
          problem={problem}
        />
      )}
      <FormActions apart>
        <Button
          variant="filled"
          type="submit"
          leftSection={<IconPlayerPlay size={16} />}
          disabled={problem !== undefined || missing !== undefined}
        >
          Call
        </Button>
        <Switch
          label="Wait for the result"
          checked={waits}
          onChange={(event) => setWaits(event.currentTarget.checked)}
        />
      </FormActions>
    </Card>
  );
}

function CallList({ calls: { calls, shown, choose } }: { readonly calls: FunctionCalls }) {
  return (
    <Card padded aria-labelledby="calls">
      <h2 id="calls">Calls in this tab</h2>
      <ul className={classes.calls}>
        {calls.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className={classes.call}
              aria-pressed={one.id === shown?.id}
              onClick={() => choose(one)}
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
    </Card>
  );
}

function Result({ call }: { readonly call: FunctionCall | undefined }) {
  return (
    <Card padded aria-labelledby="answer">
      <h2 id="answer">Result</h2>
      <div role="status">
        {call === undefined && <Note gap="above">No calls yet.</Note>}
        {call?.state === 'waiting' && <Note gap="above">Waiting for the result.</Note>}
        {call?.state === 'sent' && (
          <Note gap="above">The call was accepted; this page does not wait for its result.</Note>
        )}
      </div>
      {call?.state === 'failed' && <Problem>The call failed: {call.problem}</Problem>}
      {call?.state === 'done' && <AnswerView key={call.id} value={call.answer} />}
    </Card>
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
