/** The order of test files: the slowest start first, since one that starts last would run alone at the end. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * `slowest`: path prefixes from the root of the repository, slowest first. Files of one project stay together, because
 * processes are shared only within a project; projects follow the order in which `slowest` first names them.
 */
export function slowestFirst(slowest: readonly string[]): typeof BaseSequencer {
  return class SlowestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const { root } = this.ctx.config;
      const placeOf = ({ moduleId }: TestSpecification) => {
        const file = relative(root, moduleId);
        const place = slowest.findIndex((start) => file.startsWith(start));
        return place < 0 ? slowest.length : place;
      };
      const sorted = (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
      const projects = [...new Set(sorted.map(({ project }) => project.name))];
      return projects.flatMap((name) => sorted.filter(({ project }) => project.name === name));
    }
  };
}
