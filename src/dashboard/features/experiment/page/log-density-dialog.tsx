/** The log density of a run's program at a point, with its gradient: for those who check a program by hand. */
import { Button, Modal, SegmentedControl, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import type { LogDensity } from '../../../../contract/log-density.ts';
import { elementOf } from '../../../../posterior/variable-kinds.ts';
import { itemAt } from '../../../../shared/items.ts';
import { useAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { missing } from '../../../ui/numbers.ts';
import { Problem } from '../../../ui/problem.tsx';
import { TableHead } from '../../../ui/table-head.tsx';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { summaryQueryOptions } from '../run/queries.ts';
import own from './log-density-dialog.module.css';

type Scale = 'constrained' | 'unconstrained';

export interface LogDensityDialogProps {
  readonly experiment: Experiment;
  readonly onClose: () => void;
}

export function LogDensityDialog({ experiment, onClose }: LogDensityDialogProps) {
  useReturnFocus();
  const summary = useQuery(summaryQueryOptions(useClient(), experiment.short_id, {})).data;
  return (
    <Modal opened onClose={onClose} size={720} title="Log density at a point">
      <Panel
        // the means are filled in once the summary is loaded
        key={summary === undefined ? '' : 'means'}
        id={experiment.short_id}
        means={summary === undefined ? '' : meansText(summary.variables)}
      />
    </Modal>
  );
}

function Panel({ id, means }: { id: string; means: string }) {
  const [scale, setScale] = useState<Scale>('constrained');
  const [texts, setTexts] = useState<Record<Scale, string>>({
    constrained: means,
    unconstrained: '',
  });
  const [found, setFound] = useState<LogDensity | null>(null);
  const read = readPoint(texts[scale], scale);
  const { run, isBusy, problem } = useAction(
    (client, body: Point) => client.computeLogDensity({ params: { objid: id }, body }),
    {
      onDone: (density, asked) => {
        setFound(density);
        // keep what the user typed in the meantime
        if (!('point' in asked)) return;
        setTexts((before) => ({
          ...before,
          unconstrained: JSON.stringify(density.unconstrained),
        }));
      },
    },
  );
  return (
    <div className={own.panel}>
      <SegmentedControl
        aria-label="Scale"
        value={scale}
        onChange={(value) => setScale(value === 'unconstrained' ? value : 'constrained')}
        data={[
          { value: 'constrained', label: 'Values by parameter' },
          { value: 'unconstrained', label: 'Unconstrained vector' },
        ]}
      />
      <Textarea
        label={scale === 'constrained' ? 'Values by parameter' : 'Unconstrained vector'}
        description={
          scale === 'constrained'
            ? 'JSON, as for starting values. Prefilled with the posterior means.'
            : 'JSON: a list of all free values in the order of the parameters.'
        }
        error={
          texts[scale].trim() !== '' && read === null
            ? 'This is not valid JSON of that form.'
            : null
        }
        classNames={{ input: own.code }}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        value={texts[scale]}
        onChange={(event) => setTexts({ ...texts, [scale]: event.currentTarget.value })}
      />
      <Button
        variant="filled"
        className={own.action}
        loading={isBusy}
        disabled={read === null}
        onClick={() => read !== null && void run(read)}
      >
        Compute
      </Button>
      {problem !== null && <Problem>{problem}</Problem>}
      {found !== null && <Found density={found} />}
    </div>
  );
}

type Point = { point: Record<string, unknown> } | { unconstrained: number[] };

/** Null if it is malformed. */
function readPoint(text: string, scale: Scale): Point | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (scale === 'unconstrained')
    return Array.isArray(value) && value.every((one) => typeof one === 'number')
      ? { unconstrained: value }
      : null;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { point: value as Record<string, unknown> }
    : null;
}

const columns = ['Free value', 'Unconstrained', 'Gradient', 'Gradient without Jacobian'];

function Found({ density }: { density: LogDensity }) {
  const { names, unconstrained, with_jacobian, without_jacobian } = density;
  return (
    <div role="status">
      <dl className={own.densities}>
        <dt>Log density</dt>
        <dd>{numberText(with_jacobian.lp)}</dd>
        <dt>Without the Jacobian of the constraints</dt>
        <dd>{numberText(without_jacobian.lp)}</dd>
      </dl>
      <section className={own.box} tabIndex={0} aria-label="Gradient by free value">
        <table className={own.table}>
          <TableHead titles={columns} />
          <tbody>
            {names.slice(0, mostRows).map((name, i) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{numberText(itemAt(unconstrained, i))}</td>
                <td>{numberText(itemAt(with_jacobian.gradient, i))}</td>
                <td>{numberText(itemAt(without_jacobian.gradient, i))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {names.length > mostRows && (
        <p className={own.note}>
          The first {mostRows} of {names.length} free values; the API returns all.
        </p>
      )}
      <p className={own.note}>Constants are dropped, as in CmdStan’s log_prob.</p>
    </div>
  );
}

const mostRows = 500;

function numberText(value: number | null): string {
  return value === null ? missing : String(Number(value.toPrecision(10))).replace('-', '\u2212');
}

/** The posterior means of the parameters as JSON, with nested arrays. */
export function meansText(rows: readonly SummaryRow[]): string {
  const values: Record<string, unknown> = {};
  for (const { variable, mean, block } of rows) {
    if (block !== 'parameters') continue;
    const element = elementOf(variable);
    if (element === undefined) values[variable] = mean;
    else {
      let level = (values[element.array] ??= []) as unknown[];
      const places = element.indices.map((index) => Number(index) - 1);
      for (const place of places.slice(0, -1)) level = (level[place] ??= []) as unknown[];
      level[itemAt(places, places.length - 1)] = mean;
    }
  }
  return Object.keys(values).length === 0 ? '' : JSON.stringify(values, null, 1);
}
