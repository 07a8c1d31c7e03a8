/** Which files are the chains of the watched run: named one by one, or found in a folder. */
import { basename, join } from 'node:path';
import { toDottedName } from '../formats/flat-name.ts';
import type { FollowedHead } from '../formats/stan-csv-follower.ts';
import { otherContent } from '../formats/stan-import.ts';
import { StartError } from '../service/start-error.ts';
import { itemAt } from '../shared/items.ts';
import { type FileSource, FollowedFile } from './watch-files.ts';

export interface WatchTarget {
  /** Null: the files are named. */
  readonly folder: string | null;
  readonly files: readonly string[];
  /** Only files that appear, or start over, after the watch began. */
  readonly onlyNew: boolean;
}

export interface LookRequest {
  readonly source: FileSource;
  readonly now: number;
  /** For the terminal. */
  readonly say: (line: string) => void;
}

export class WatchedSet {
  /** In the order of their names. */
  readonly files: FollowedFile[] = [];
  /** What the first file says. */
  head: FollowedHead | null = null;
  /** The name that the files have in common. */
  stem = '';
  /** The name of that file. */
  private first = '';
  private readonly known = new Map<string, FollowedFile>();
  /** Files that were there before, with their sizes. */
  private readonly older = new Map<string, number>();
  private readonly leftOut = new Set<string>();
  private isFirstLook = true;

  constructor(private readonly target: WatchTarget) {}

  /** Finds files and reads what was added. Throws `StartError` for a named file that is not a chain of the run. */
  async look({ source, now, say }: LookRequest): Promise<void> {
    await this.find(source, now);
    this.isFirstLook = false;
    for (const file of this.known.values()) {
      if (this.leftOut.has(file.path) || !(await file.poll(source, now))) continue;
      const place = this.files.indexOf(file);
      if (place >= 0) this.files.splice(place, 1);
    }
    this.sort(say);
  }

  /** There is something to read immediately. */
  hasMore(): boolean {
    return [...this.known.values()].some((file) => file.hasMore && !this.leftOut.has(file.path));
  }

  private async find(source: FileSource, now: number): Promise<void> {
    for (const path of await this.listPaths(source)) {
      if (this.known.has(path)) continue;
      if (this.target.onlyNew && (await this.isOlder(source, path))) continue;
      this.known.set(path, new FollowedFile(path, now));
    }
  }

  private async listPaths(source: FileSource): Promise<readonly string[]> {
    const { folder, files } = this.target;
    if (folder === null) return files;
    const names = await source.list(folder);
    if (names === null && this.isFirstLook) throw new StartError(`There is no folder ${folder}.`);
    const tables = (names ?? []).filter((name) => /\.csv$/i.test(name));
    return tables.sort(inNaturalOrder).map((name) => join(folder, name));
  }

  /** It was there when the watch began, and has not started over. */
  private async isOlder(source: FileSource, path: string): Promise<boolean> {
    const size = (await source.stat(path))?.size ?? 0;
    if (this.isFirstLook && size > 0) this.older.set(path, size);
    const before = this.older.get(path);
    if (before !== undefined && size < before) this.older.delete(path);
    return this.older.has(path);
  }

  /** Takes files that have a header into the run, or leaves them out. */
  private sort(say: (line: string) => void): void {
    const undecided = [...this.known.values()].filter(
      (file) => !this.files.includes(file) && !this.leftOut.has(file.path),
    );
    const ready: FollowedFile[] = [];
    for (const file of undecided) {
      const head = file.follower.head();
      if (head === null && file.problem === null) continue;
      const fault = head === null ? file.problem : faultOf(head);
      if (fault !== null) this.leave(file, notAChain(file, fault), say);
      else ready.push(file);
    }
    if (ready.length > 0 && this.head === null) this.choose(ready, say);
    for (const file of ready) this.decide(file, say);
    this.files.sort((a, b) => inNaturalOrder(basename(a.path), basename(b.path)));
  }

  /** Of several runs in a folder, the one written last. */
  private choose(ready: readonly FollowedFile[], say: (line: string) => void): void {
    const isFolder = this.target.folder !== null;
    const newest = isFolder ? ready.toSorted((a, b) => b.modified - a.modified) : ready;
    const chosen = itemAt(newest, 0);
    this.head = chosen.follower.head();
    this.stem = stemOf(chosen);
    this.first = basename(chosen.path);
    const others = new Set(newest.map(stemOf).filter((stem) => stem !== this.stem));
    if (isFolder && others.size > 0)
      say(
        `The folder has files from ${others.size + 1} runs: following ${this.stem}, which was written last. To follow another, name its files (${[...others].slice(0, 3).join(', ')}${others.size > 3 ? ', …' : ''}).`,
      );
  }

  private decide(file: FollowedFile, say: (line: string) => void): void {
    const head = file.follower.head();
    if (head === null || this.head === null || this.files.includes(file)) return;
    if (this.target.folder !== null && stemOf(file) !== this.stem) {
      this.leave(file, null, say);
      return;
    }
    const difference = differenceOf(this.head.variables, head.variables);
    if (difference === null) this.files.push(file);
    else
      this.leave(
        file,
        `${basename(file.path)} has different columns from ${this.first}: ${difference}. It comes from another program or other data, so it is not a chain of this run.`,
        say,
      );
  }

  /** A named file must be a chain of the run; one that turned into something else later is only reported. */
  private leave(file: FollowedFile, reason: string | null, say: (line: string) => void): void {
    if (reason !== null && this.target.folder === null && file.attempt === 1)
      throw new StartError(reason);
    this.leftOut.add(file.path);
    if (reason !== null) say(`${reason} It is left out.`);
  }
}

const notAChain = ({ path }: FollowedFile, fault: string) =>
  `${basename(path)} is not a CmdStan chain: ${fault}.`;

/** Why a file is not a CmdStan chain; null: it is one. */
function faultOf(head: FollowedHead): string | null {
  const { variables, comments } = head;
  const content = otherContent(head);
  if (content !== null) return `it contains ${content}`;
  if (comments === '' || !variables.includes('lp__'))
    return 'it has neither CmdStan’s comments at its start nor a column lp__';
  if (isDiagnostic(variables)) return 'it is a diagnostic file, with momenta and gradients';
  return null;
}

/** Columns x, p_x and g_x, which CmdStan writes as `diagnostic_file`. */
function isDiagnostic(variables: readonly string[]): boolean {
  const names = variables.filter((name) => !name.endsWith('__'));
  const third = names.length / 3;
  if (third === 0 || !Number.isInteger(third)) return false;
  return names
    .slice(0, third)
    .every((name, i) => names[third + i] === `p_${name}` && names[2 * third + i] === `g_${name}`);
}

/** As a sentence; null: the columns are the same. */
function differenceOf(first: readonly string[], other: readonly string[]): string | null {
  const place = first.findIndex((name, i) => name !== other[i]);
  if (place === -1 && first.length === other.length) return null;
  const at = place === -1 ? first.length : place;
  const nameOf = (names: readonly string[]) => {
    const name = names[at];
    return name === undefined ? 'nothing' : toDottedName(name);
  };
  return `column ${at + 1} is ${nameOf(other)}, there ${nameOf(first)}`;
}

/**
 * The name of a file without its chain number: what the chains of one run share.
 * CmdStan writes `output_1.csv`, CmdStanPy `bernoulli-20261122101530_1.csv`, CmdStanR `bernoulli-202611221015-1-5d8f3a.csv`.
 */
function stemOf(file: FollowedFile): string {
  const head = file.follower.head();
  const name = basename(file.path).replace(/\.csv$/i, '');
  const id = head?.chainId ?? 0;
  const byId = new RegExp(`^(.*?)[-_.]?(?<!\\d)0*${id}(-[0-9a-f]{6,})?$`).exec(name);
  if (byId !== null) return `${byId[1]}${byId[2] ?? ''}`;
  return name.replace(/[-_.]?(?<!\d)\d{1,3}$/, '');
}

const collator = new Intl.Collator('en', { numeric: true });

/** `x_2.csv` before `x_10.csv`. */
function inNaturalOrder(a: string, b: string): number {
  return collator.compare(a, b);
}
