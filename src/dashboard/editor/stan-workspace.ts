/** The Stan files of one model and what the language service says of them; runs in the worker, knows no editor. */
import { type CheckResult, checkProgram } from '../../language/check.ts';
import { hasErrors } from '../../language/diagnostics.ts';
import { complete } from '../../language/editor/complete.ts';
import { format } from '../../language/editor/format.ts';
import { hover } from '../../language/editor/hover.ts';
import { definition, outline } from '../../language/editor/outline.ts';
import { findRemedies, withRemedy } from '../../language/remedies/find-remedies.ts';
import { findPriorOnly } from '../../language/remedies/prior-only.ts';
import { findReplicatedData } from '../../language/remedies/replicated-data.ts';
import { positionAt } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import { unmappableVariables, wantedVariables } from '../../mapping/wanted.ts';
import { checkData } from './data-check.ts';
import type {
  FileChanges,
  FileRange,
  OfferedRemedy,
  Problem,
  Problems,
  StanQuestions,
} from './stan-protocol.ts';

/** What is asked of the files as they are. */
type Asked = Exclude<keyof StanQuestions, 'files'>;

interface Located {
  readonly result: CheckResult;
  /** Index of the file in the result. */
  readonly file: number;
}

export class StanWorkspace {
  private readonly texts = new Map<string, string>();
  private entrance: string | null = null;
  /** Results of the state in hand, by the file that was checked. */
  private readonly checked = new Map<string, CheckResult>();

  setFiles({ changed, removed, entrance }: FileChanges): void {
    for (const path of removed) this.texts.delete(path);
    for (const [path, text] of Object.entries(changed)) this.texts.set(path, text);
    this.entrance = entrance;
    this.checked.clear();
  }

  answer<N extends Asked>(name: N, ask: StanQuestions[N]['ask']): StanQuestions[N]['answer'] {
    const answers: { [K in Asked]: (ask: StanQuestions[K]['ask']) => StanQuestions[K]['answer'] } =
      {
        hover: ({ path, offset }) => this.hover(path, offset),
        complete: ({ path, offset }) => this.complete(path, offset),
        definition: ({ path, offset }) => this.definition(path, offset),
        outline: ({ path }) => outline(this.check(path)),
        format: ({ path }) => format(this.texts.get(path) ?? ''),
        remedies: () => this.remedies(),
        problems: () => this.problems(),
        data: ({ text, fmt }) => checkData(this.program(), text, fmt),
        wanted: () => {
          const program = this.program();
          if (program === null || hasErrors(program.diagnostics)) return null;
          const { data } = program.program;
          return { variables: wantedVariables(data), tuples: unmappableVariables(data) };
        },
      };
    return answers[name](ask);
  }

  private program(): CheckResult | null {
    return this.entrance === null ? null : this.check(this.entrance);
  }

  private check(path: string): CheckResult {
    let result = this.checked.get(path);
    if (result === undefined) {
      const include = (name: string) => this.texts.get(name) ?? null;
      result = checkProgram({ name: path, text: this.texts.get(path) ?? '' }, { include });
      this.checked.set(path, result);
    }
    return result;
  }

  /** The program that a file is part of: the entrance's when that includes it, else the file alone. */
  private locate(path: string): Located {
    if (this.entrance !== null && this.texts.has(this.entrance)) {
      const result = this.check(this.entrance);
      const file = result.files.findIndex(({ name }) => name === path);
      if (file >= 0) return { result, file };
    }
    return { result: this.check(path), file: 0 };
  }

  /** Of the entrance and what it includes; a file that stands beside them is judged alone when it is a program. */
  problems(): Problems {
    const start = performance.now();
    const known = new Set<string>();
    const roots = this.entrance !== null && this.texts.has(this.entrance) ? [this.entrance] : [];
    const problems: Problem[] = [];
    const add = (path: string): void => {
      const result = this.check(path);
      for (const [index, { name }] of result.files.entries()) {
        if (known.has(name)) continue;
        known.add(name);
        problems.push(...problemsOf(result, index));
      }
    };
    for (const path of roots) add(path);
    for (const [path, text] of this.texts) if (!known.has(path) && isProgram(path, text)) add(path);
    return { problems, milliseconds: performance.now() - start };
  }

  private remedies(): OfferedRemedy[] {
    if (this.entrance === null) return [];
    const result = this.check(this.entrance);
    const found = [
      ...findRemedies(result),
      ...findPriorOnly(result),
      ...findReplicatedData(result),
    ];
    return found.map((remedy) => {
      const { edits: _edits, ...offered } = remedy;
      const files = withRemedy(result, remedy).flatMap(({ name, text }, index) => {
        const before = result.files[index]?.text ?? '';
        return text === before ? [] : [{ path: name, before, after: text }];
      });
      return { ...offered, files };
    });
  }

  private hover(path: string, offset: number): StanQuestions['hover']['answer'] {
    const { result, file } = this.locate(path);
    const found = hover(result, offset, file);
    if (found === null) return null;
    return { ...rangeOf(result, found.span), code: found.code, text: found.text };
  }

  private complete(path: string, offset: number): StanQuestions['complete']['answer'] {
    const { result, file } = this.locate(path);
    const { span, items } = complete(result, offset, file);
    return { start: span.start, end: span.end, items };
  }

  private definition(path: string, offset: number): FileRange | null {
    const { result, file } = this.locate(path);
    const span = definition(result, offset, file);
    return span === null ? null : rangeOf(result, span);
  }
}

/** Parts that are only included have statements without a block around them. */
function isProgram(path: string, text: string): boolean {
  return (
    path.endsWith('.stan') &&
    /(?:^|\n)\s*(?:model|parameters|generated\s+quantities)\s*\{/.test(text)
  );
}

function rangeOf(result: CheckResult, span: Span): FileRange {
  return { path: result.files[span.file]?.name ?? '', start: span.start, end: span.end };
}

/** What is wrong in one of the files, by place: the only time that a diagnostic changes its shape on the way. */
function problemsOf(result: CheckResult, file: number): Problem[] {
  const source = result.files[file];
  if (source === undefined) return [];
  return result.diagnostics
    .filter(({ span }) => span.file === file)
    .map(({ span, related, ...diagnostic }) => ({
      ...diagnostic,
      ...rangeOf(result, span),
      ...positionAt(source, span.start),
      related: related.map((note) => ({ ...rangeOf(result, note.span), message: note.message })),
    }));
}
