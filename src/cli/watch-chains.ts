/** Maps files to the experiment's chains. Stored with the experiment, so that another watch can continue. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { itemAt } from '../shared/items.ts';
import type { FollowedFile } from './watch-files.ts';

/** `meta.watch.chains[name]`. `head` and `first` fingerprint the file's head and its first draw, once it has one. */
const chainMarkSchema = z.object({
  file: z.string(),
  head: z.string(),
  first: z.optional(z.string()),
});
export type ChainMark = z.output<typeof chainMarkSchema>;

const watchMetaSchema = z.object({ chains: z.record(z.string(), chainMarkSchema) });

/** By name of the chain; empty for an experiment that no watch made. */
export function readMarks(meta: unknown): Record<string, ChainMark> {
  const watch = (meta as { watch?: unknown } | null | undefined)?.watch;
  const read = watchMetaSchema.safeParse(watch);
  return read.success ? read.data.chains : {};
}

/** Null: the header row is not there yet. */
export function markOf(file: FollowedFile): ChainMark | null {
  const head = file.follower.head();
  if (head === null) return null;
  const first = file.follower.firstDraw();
  return {
    file: basename(file.path),
    head: digest(head.comments + head.variables.join()),
    ...(first === null ? {} : { first: digest(first.join()) }),
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Whether both are the same attempt of the same chain, as far as is known. */
export function isSameChain(a: ChainMark, b: ChainMark): boolean {
  const isSameFirst = a.first === undefined || b.first === undefined || a.first === b.first;
  return a.file === b.file && a.head === b.head && isSameFirst;
}

/** The names of chains: `chain#2` by the number in the file, `chain#2 attempt 2` for one that was restarted. */
export class ChainNames {
  constructor(readonly marks: Record<string, ChainMark>) {}

  /** Records a new name. An attempt without draws leaves its name to the next. */
  nameOf(mark: ChainMark, chainId: number | null): string {
    const all = Object.entries(this.marks);
    const known =
      all.find(([, other]) => isSameChain(other, mark)) ??
      all.find(([, other]) => other.file === mark.file && other.first === undefined);
    const name = known?.[0] ?? this.newName(mark, chainId);
    this.marks[name] = { ...this.marks[name], ...mark };
    return name;
  }

  /** Names of this file's earlier attempts. */
  before(name: string): string[] {
    const file = this.marks[name]?.file;
    const attempts = Object.keys(this.marks).filter((other) => this.marks[other]?.file === file);
    return attempts.filter((other) => attemptOf(other) < attemptOf(name));
  }

  private newName(mark: ChainMark, chainId: number | null): string {
    const earlier = Object.keys(this.marks).filter((name) => this.marks[name]?.file === mark.file);
    if (earlier.length > 0) {
      const first = earlier.toSorted((a, b) => attemptOf(a) - attemptOf(b));
      return `${itemAt(first, 0)} attempt ${earlier.length + 1}`;
    }
    let number = chainId !== null && chainId > 0 ? chainId : 1;
    // chains that were all started as chain 1
    while (this.marks[`chain#${number}`] !== undefined) number++;
    return `chain#${number}`;
  }
}

const attemptOf = (name: string) => Number(/ attempt (\d+)$/.exec(name)?.[1] ?? 1);
