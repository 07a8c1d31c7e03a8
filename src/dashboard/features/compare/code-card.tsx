/** The programs of the baseline and another experiment, as they were run: the differences, line by line. */
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useMemo } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Stretch } from '../../../language/editor/paint.ts';
import { assertNever } from '../../../shared/assert-never.ts';
import { languageOfFile } from '../../editor/languages.ts';
import { versionQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { useCapability } from '../../objects/use-config.ts';
import { Card } from '../../ui/card.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { programAbsence } from '../status/program-absence.ts';
import classes from './compare.module.css';
import { countChanges, type DiffLine, hunksOf } from './line-diff.ts';
import { paintLines } from './painted-lines.ts';
import { diffPrograms, type FileDiff } from './programs.ts';
import type { ComparedRun } from './use-compared.ts';

export interface CodeCardProps {
  readonly base: ComparedRun;
  readonly others: readonly ComparedRun[];
  /** Id of the experiment compared with the baseline; empty = the first. */
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

/** The program of a run: model and version; version 0 = only the current one is available. */
function programOf({ experiment }: ComparedRun, hasVersions: boolean) {
  const id = experiment?.model_id ?? '';
  return { id, version: hasVersions ? (experiment?.meta?.model_version ?? 0) : 0 };
}

export function CodeCard({ base, others, chosen, onChoose }: CodeCardProps) {
  const hasVersions = useCapability('versions');
  const other = others.find((run) => run.id === chosen) ?? others[0];
  if (other === undefined) return null;
  const before = programOf(base, hasVersions);
  const after = programOf(other, hasVersions);
  const isSame = before.id !== '' && before.id === after.id && before.version === after.version;
  return (
    <Card className={classes.card} aria-labelledby="compare-code">
      <header className={classes.cardHead}>
        <h2 id="compare-code">Model code</h2>
        <span className={classes.dim}>
          {base.letter} to {other.letter}
        </span>
        {others.length > 1 && (
          <SegmentedControl
            className={classes.right}
            aria-label={`Program compared with ${base.letter}`}
            value={other.id}
            onChange={onChoose}
            data={others.map((run) => ({ value: run.id, label: run.letter }))}
          />
        )}
      </header>
      {before.id === '' || after.id === '' ? (
        <p className={classes.cardText}>{withoutProgram(before.id === '' ? base : other)}</p>
      ) : isSame ? (
        <p className={classes.cardText}>
          {before.version > 0
            ? `Same program: version ${before.version} of the same model.`
            : 'Same model. This server does not keep the program of each run.'}
        </p>
      ) : (
        <Programs before={before} after={after} />
      )}
    </Card>
  );
}

function withoutProgram({ letter, experiment }: ComparedRun): string {
  const absence = experiment === null ? null : programAbsence(experiment);
  switch (absence) {
    case 'imported':
      return `${letter} has no program here: its draws were imported.`;
    case 'deleted':
      return `The model of ${letter} was deleted, so its program cannot be shown. The draws are not affected.`;
    case 'shared':
      return `${letter} is shared with you without its program.`;
    case null:
      return `${letter} has no program here.`;
    default:
      return assertNever(absence);
  }
}

interface Program {
  readonly id: string;
  readonly version: number;
}

function Programs(props: { before: Program; after: Program }) {
  const client = useClient();
  const { before, after } = props;
  const old = useQuery(versionQueryOptions(client, 'model', before.id, before.version));
  const now = useQuery(versionQueryOptions(client, 'model', after.id, after.version));
  const files = useMemo(
    () =>
      old.data?.content && now.data?.content
        ? diffPrograms(old.data.content, now.data.content)
        : null,
    [old.data, now.data],
  );
  const failed = old.error ?? now.error;
  if (failed !== null) return <p className={classes.cardText}>{absenceText(failed)}</p>;
  if (old.isPending || now.isPending)
    return <p className={classes.cardText}>Reading the programs…</p>;
  if (files === null)
    return <p className={classes.cardText}>The server did not send the files of both models.</p>;
  const isNow = before.version === 0 || after.version === 0;
  return (
    <>
      {isNow && (
        <p className={classes.cardText}>
          Shown as the models are now: the server does not report which version ran.
        </p>
      )}
      {files.length === 0 ? (
        <p className={classes.cardText}>Same program: all files are identical.</p>
      ) : (
        files.map((file) => <FileChanges key={file.path} file={file} />)
      )}
    </>
  );
}

function absenceText(error: unknown): string {
  const { code, message } = ApiError.from(error);
  return code === 'NOT_FOUND' || code === 'PERMISSION_DENIED'
    ? 'A program is no longer available: its model was deleted, or you have no access to it. The draws are not affected.'
    : `The programs could not be read: ${message}`;
}

/** Longer texts are machine-generated, and that many coloured words would make the page slow. */
const mostPainted = 200_000;

const kindLabels = {
  changed: '',
  removed: 'removed',
  added: 'added',
  binary: 'differs, not a text file',
};

function FileChanges({ file }: { file: FileDiff }) {
  const paintedLine = useMemo(() => linePainter(file), [file]);
  const { removed, added } = countChanges(file.lines);
  const { hunks, rest } = hunksOf(file.lines);
  return (
    <>
      <p className={classes.fileHead}>
        <code>{file.path}</code>
        {file.kind !== 'binary' && (
          <span>
            <span className={classes.removedCount}>−{formatCount(removed)}</span>{' '}
            <span className={classes.addedCount}>+{formatCount(added)}</span>
          </span>
        )}
        <span className={classes.dim}>{kindLabels[file.kind]}</span>
      </p>
      {file.kind !== 'binary' && (
        // a scrolling region must be reachable by keyboard
        <section className={classes.code} tabIndex={0} aria-label={`Differences in ${file.path}`}>
          <table className={classes.diff}>
            <tbody>
              {hunks.map((hunk) => (
                <Fragment key={`${hunk.lines[0]?.before} ${hunk.lines[0]?.after}`}>
                  <Skipped count={hunk.skipped} />
                  {hunk.lines.map((line) => (
                    <Line
                      key={`${line.before} ${line.after}`}
                      line={line}
                      painted={paintedLine(line)}
                    />
                  ))}
                </Fragment>
              ))}
              <Skipped count={rest} />
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

function Skipped({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <tr className={classes.skipped}>
      <td colSpan={3}>
        {formatCount(count)} unchanged {count === 1 ? 'line' : 'lines'}
      </td>
    </tr>
  );
}

const signs = { same: '', removed: '−', added: '+' };
const spoken = { same: '', removed: 'removed: ', added: 'added: ' };

/** The segments of a line in the editor's colours; null: not highlighted. */
type PaintedLine = readonly Stretch[] | null;

/** How each line is highlighted; other languages and very long programs are not. */
function linePainter({ path, before, after }: FileDiff): (line: DiffLine) => PaintedLine {
  const isPainted = languageOfFile(path) === 'stan' && before.length + after.length <= mostPainted;
  if (!isPainted) return () => null;
  const [old, now] = [paintLines(before), paintLines(after)];
  return (line) =>
    (line.after === null ? old[(line.before ?? 0) - 1] : now[line.after - 1]) ?? null;
}

function Line({ line, painted }: { line: DiffLine; painted: PaintedLine }) {
  return (
    <tr data-kind={line.kind}>
      <td className={classes.lineNumber}>{line.after ?? line.before}</td>
      <td className={classes.sign} aria-hidden="true">
        {signs[line.kind]}
      </td>
      <td>
        <span className="visually-hidden">{spoken[line.kind]}</span>
        {painted === null
          ? line.text
          : painted.map(({ text, role }, i) =>
              role === null ? (
                text
              ) : (
                // the text is constant and never moves
                <span key={i} data-role={role}>
                  {text}
                </span>
              ),
            )}
      </td>
    </tr>
  );
}
