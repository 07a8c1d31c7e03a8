/** The time spent in the program's `profile` statements, over all chains; empty if it has none. */
import type { Summary, WireProfile } from '../../../../contract/draws.ts';
import { formatDuration } from '../../../ui/duration.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { CopiedTable } from './copied-table.tsx';

export const secondsText = (value: number): string =>
  value < 0.1 ? `${Math.round(1000 * value)} ms` : formatDuration(value);

const columns: readonly { title: string; of: (profile: WireProfile) => string }[] = [
  { title: 'Time', of: (profile) => secondsText(profile.total_time) },
  { title: 'Forward', of: (profile) => secondsText(profile.forward_time) },
  { title: 'Reverse', of: (profile) => secondsText(profile.reverse_time) },
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
  return (
    <CopiedTable
      label="Profiles"
      title="Profiles"
      what="the table of profiles"
      head={['Profile', ...columns.map(({ title }) => title)]}
      rows={profiles.map((one) => [one.name, ...columns.map(({ of }) => of(one))])}
      note="All chains together, warmup included."
    />
  );
}
