/** The time spent in the program's `profile` statements, over all chains; empty if it has none. */
import type { Summary, WireProfile } from '../../../../contract/draws.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { formatDuration } from '../../../ui/duration.ts';
import { formatCount } from '../../../ui/numbers.ts';
import classes from '../run/experiment.module.css';
import table from '../summary/summary-table.module.css';

const seconds = (value: number): string =>
  value < 0.1 ? `${Math.round(1000 * value)} ms` : formatDuration(value);

const columns: readonly { title: string; of: (profile: WireProfile) => string }[] = [
  { title: 'Time', of: (profile) => seconds(profile.total_time) },
  { title: 'Forward', of: (profile) => seconds(profile.forward_time) },
  { title: 'Reverse', of: (profile) => seconds(profile.reverse_time) },
  { title: 'Gradients', of: (profile) => formatCount(profile.autodiff_calls) },
  { title: 'Without', of: (profile) => formatCount(profile.no_autodiff_calls) },
];

/** Sums over chains, longest first. */
function sumOfProfiles(chains: Summary['chains']): WireProfile[] {
  const byName = new Map<string, WireProfile>();
  for (const one of chains.flatMap(({ profiles }) => profiles ?? [])) {
    const sum = byName.get(one.name);
    byName.set(one.name, {
      name: one.name,
      total_time: one.total_time + (sum?.total_time ?? 0),
      forward_time: one.forward_time + (sum?.forward_time ?? 0),
      reverse_time: one.reverse_time + (sum?.reverse_time ?? 0),
      autodiff_calls: one.autodiff_calls + (sum?.autodiff_calls ?? 0),
      no_autodiff_calls: one.no_autodiff_calls + (sum?.no_autodiff_calls ?? 0),
    });
  }
  return [...byName.values()].toSorted((a, b) => b.total_time - a.total_time);
}

export function ProfilesSection({ chains }: { readonly chains: Summary['chains'] }) {
  const profiles = sumOfProfiles(chains);
  if (profiles.length === 0) return null;
  const head = ['Profile', ...columns.map(({ title }) => title)];
  const rows = profiles.map((one) => [one.name, ...columns.map(({ of }) => of(one))]);
  return (
    <section aria-label="Profiles">
      <div className={classes.toolbar}>
        <h2 className={classes.sectionTitle}>Profiles</h2>
        <CopyButton
          text={[head, ...rows].map((row) => row.join('\t')).join('\n')}
          what="the table of profiles"
        />
      </div>
      <div className={`${table.tableCard} ${classes.factTable}`}>
        <table className={`${table.table} ${table.still}`}>
          <thead>
            <tr>
              {head.map((title, i) => (
                <th key={title} scope="col" className={i === 0 ? undefined : table.number}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                {cells.map((cell, i) => (
                  <td key={head[i + 1]} className={table.number}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.note}>All chains together, warmup included.</p>
    </section>
  );
}
