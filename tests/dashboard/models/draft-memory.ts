/** A store of drafts that forgets at the end of the test. */
import type { ModelContent } from '../../../src/contract/model.ts';
import type { Draft, DraftStore } from '../../../src/dashboard/editor/drafts.ts';

export class DraftMemory implements DraftStore {
  readonly drafts = new Map<string, Draft>();
  readonly bases = new Map<string, ModelContent>();
  isBroken = false;

  private check(): void {
    if (this.isBroken) throw new Error('nothing can be kept');
  }
  async list(scope: string): Promise<Draft[]> {
    this.check();
    const found = [...this.drafts.values()].filter((draft) => draft.scope === scope);
    return found.toSorted((a, b) => b.keptAt - a.keptAt);
  }
  async base(id: string): Promise<ModelContent | null> {
    this.check();
    return structuredClone(this.bases.get(id) ?? null);
  }
  async keep(draft: Draft, base: ModelContent | null): Promise<void> {
    this.check();
    this.drafts.set(draft.id, structuredClone(draft));
    if (base !== null) this.bases.set(draft.id, structuredClone(base));
  }
  async drop(id: string): Promise<void> {
    this.check();
    this.drafts.delete(id);
    this.bases.delete(id);
  }
}
