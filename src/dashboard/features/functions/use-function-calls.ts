/** Calls of one cloud function in this tab: the edited parameters, the selected call, and making a new one. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import { runAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { readParameters } from './answer.ts';
import { type FunctionCall, historyOf, useCalls } from './call-history.ts';

/** `start`: the parameters of a first call. `onEnded` is called after each call, whether it succeeded or failed. */
export function useFunctionCalls(
  modelId: string,
  start: Readonly<Record<string, unknown>>,
  onEnded: () => void,
) {
  const client = useClient();
  const queryClient = useQueryClient();
  const history = historyOf(client);
  const calls = useCalls(history).filter((call) => call.modelId === modelId);
  const [text, setText] = useState(calls[0]?.parameters ?? JSON.stringify(start, null, 2));
  const [waits, setWaits] = useState(true);
  const [chosen, setChosen] = useState<number | null>(null);
  const parameters = readParameters(text);
  const call = async () => {
    if (!parameters.ok) return;
    const started = performance.now();
    const id = history.begin({ modelId, at: Date.now(), parameters: text });
    setChosen(id);
    const body = {
      target: modelId,
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
    onEnded();
  };
  return {
    calls,
    /** The selected call, or the newest. */
    shown: calls.find(({ id }) => id === chosen) ?? calls[0],
    choose: (one: FunctionCall) => {
      setChosen(one.id);
      setText(one.parameters);
    },
    text,
    setText,
    /** The parsed `text`; null while it is not an object. */
    values: parameters.ok ? parameters.value : null,
    /** Why `text` cannot be sent. */
    problem: parameters.ok ? undefined : parameters.problem,
    waits,
    setWaits,
    call,
  };
}

export type FunctionCalls = ReturnType<typeof useFunctionCalls>;
