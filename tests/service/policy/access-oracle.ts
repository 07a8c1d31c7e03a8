/**
 * Who has access to what, from the documented rules alone: an owner to the live object, others through shares to what
 * was frozen, nobody to what was deleted. Imports nothing from the service, so that it cannot share its errors.
 */
export const people = ['ada', 'carol', 'vera', 'nobody'] as const;
/** Ada and Carol have accounts. Vera knows one password of a share; nobody knows and has nothing. */
export type Who = (typeof people)[number];

export interface Thing {
  readonly id: string;
  readonly kind: 'model' | 'data' | 'experiment' | 'project';
  owner: Who | 'team';
  /** Of a project: its first members, except those that moved to another owner. */
  members?: readonly Thing[];
  name: string;
  /** Key of its deletion; null while it exists. */
  deletedKey: string | null;
}

/** A member of a shared project, with a separate id to open it. */
export interface SharedPart {
  readonly id: string;
  readonly thing: Thing;
  readonly frozenName: string;
}

export interface SharedThing {
  readonly id: string;
  readonly thing: Thing;
  readonly frozenName: string;
  /** The only person it admits; null: all. */
  readonly target: Who | null;
  /** Empty: none. */
  password: string;
  /** Number of passwords it has had. */
  passwords: number;
  end: number;
  deletedKey: string | null;
  /** Of a project. */
  readonly parts: readonly SharedPart[];
}

/** The address of a file, as it was given out. */
export interface Address {
  readonly url: string;
  readonly thing: Thing;
  readonly share: SharedThing | null;
  readonly passwords: number;
  readonly end: number;
}

export interface Access {
  readonly name: string;
  readonly isLive: boolean;
  /** The share that gave access. */
  readonly share: SharedThing | null;
}

export class AccessOracle {
  now: number;
  /** Oldest first. */
  readonly things: Thing[] = [];
  readonly shares: SharedThing[] = [];
  readonly addresses: Address[] = [];
  /** Who deleted something under a key. */
  readonly deletions: { readonly key: string; readonly by: Who }[] = [];
  /** The password that Vera sends. */
  known = '';

  /** Who is in the team. */
  readonly team = new Set<Who>();

  constructor(now: number) {
    this.now = now;
  }

  hasAccount(who: Who): boolean {
    return who === 'ada' || who === 'carol';
  }

  /** A team owns as a person does, and each of its members acts for it. */
  owns(who: Who, { owner }: Thing): boolean {
    return owner === who || (owner === 'team' && this.team.has(who));
  }

  /** Takes along a project's members with the same owner; projects that stay lose what moved. */
  move(thing: Thing, owner: Thing['owner']): void {
    const moved = [thing, ...(thing.members ?? []).filter((one) => one.owner === thing.owner)];
    for (const one of this.things)
      if (one.members !== undefined && !moved.includes(one))
        one.members = one.members.filter((member) => !moved.includes(member));
    for (const one of moved) one.owner = owner;
  }

  /** Rename, delete, share, control, read its log. */
  mayChange(who: Who, thing: Thing): boolean {
    return thing.deletedKey === null && this.owns(who, thing);
  }

  mayShare(who: Who, thing: Thing): boolean {
    return this.mayChange(who, thing) && thing.kind !== 'data';
  }

  /** A share that has ended is still its owner's to change or delete. */
  mayChangeShare(who: Who, share: SharedThing): boolean {
    return share.deletedKey === null && this.owns(who, share.thing);
  }

  isOpen({ deletedKey, thing, end }: SharedThing): boolean {
    return deletedKey === null && thing.deletedKey === null && end > this.now;
  }

  private admits(share: SharedThing, who: Who): boolean {
    if (!this.isOpen(share)) return false;
    if (share.target !== null) return share.target === who;
    return share.password === '' || (who === 'vera' && this.known === share.password);
  }

  /** A share's name for a thing: its own object, or a member of its project; null: it does not open it. */
  private nameIn({ thing: own, frozenName, parts }: SharedThing, thing: Thing): string | null {
    if (own === thing) return frozenName;
    const part = thing.deletedKey === null ? parts.find((one) => one.thing === thing) : undefined;
    return part?.frozenName ?? null;
  }

  /** How many shares open a thing, to anybody. */
  countOpening(thing: Thing): number {
    return this.shares.filter(
      (share) => share.thing === thing || share.parts.some((part) => part.thing === thing),
    ).length;
  }

  /** What a person sees of a member through the id that a shared project gives it. */
  accessOfPart(who: Who, share: SharedThing, { thing, frozenName }: SharedPart): string | null {
    const isOwner = this.isOpen(share) && this.owns(who, share.thing);
    const isThere = thing.deletedKey === null && (isOwner || this.admits(share, who));
    return isThere ? frozenName : null;
  }

  /** `through`: the share named in the request, which shows the frozen state to its owner too. */
  accessOf(who: Who, thing: Thing, through: SharedThing | null = null): Access | null {
    const frozen = (share: SharedThing): Access => ({
      name: this.nameIn(share, thing) ?? '',
      isLive: false,
      share,
    });
    if (through !== null) {
      const isOwner = this.isOpen(through) && this.owns(who, through.thing);
      const isAdmitted = through.thing === thing && (isOwner || this.admits(through, who));
      return isAdmitted ? frozen(through) : null;
    }
    if (thing.deletedKey !== null) return null;
    if (this.owns(who, thing)) return { name: thing.name, isLive: true, share: null };
    const newest = this.shares.findLast(
      (share) => this.nameIn(share, thing) !== null && this.admits(share, who),
    );
    return newest === undefined ? null : frozen(newest);
  }

  /** Ids and names in a list of own things, or of those shared with a person by name; null: no list at all. */
  listFor(who: Who, kind: Thing['kind'], isShared: boolean): Record<string, string> | null {
    if (!this.hasAccount(who)) return null;
    const entries = this.things.flatMap((thing): [string, string][] => {
      if (thing.kind !== kind || thing.deletedKey !== null) return [];
      if (!isShared) return thing.owner === who ? [[thing.id, thing.name]] : [];
      const share = this.shares.findLast(
        (one) =>
          one.thing === thing && thing.owner !== who && one.target === who && this.isOpen(one),
      );
      return share === undefined ? [] : [[thing.id, share.frozenName]];
    });
    return Object.fromEntries(entries);
  }

  /** What the team has, as its members list it; null: no list at all. */
  listOfTeam(who: Who, kind: Thing['kind']): Record<string, string> | null {
    if (!this.team.has(who)) return null;
    const own = this.things.filter(
      (one) => one.owner === 'team' && one.kind === kind && one.deletedKey === null,
    );
    return Object.fromEntries(own.map(({ id, name }) => [id, name]));
  }

  /** Anybody who has the address has the file. */
  opens({ thing, share, passwords, end }: Address): boolean {
    if (thing.deletedKey !== null || end <= this.now) return false;
    return share === null || (this.isOpen(share) && share.passwords === passwords);
  }

  /** What a key restores: only for the person who deleted it, and nothing of a team they have left. */
  undelete(who: Who, key: string): boolean {
    if (!this.deletions.some((deletion) => deletion.key === key && deletion.by === who))
      return false;
    for (const one of [...this.things, ...this.shares]) {
      const thing = 'thing' in one ? one.thing : one;
      const isLeft = thing.owner === 'team' && !this.team.has(who);
      if (one.deletedKey === key && !isLeft) one.deletedKey = null;
    }
    return true;
  }
}
