/** A short text of what a workflow's settings mean for a run. */
import { formatCount } from '../../ui/numbers.ts';

/** Values of `key: number`, on lines or in braces; enough for a caption, as the service parses the YAML. */
function numberIn(settings: string, key: string, usual: number): number {
  const found = new RegExp(`(?:^|[{,])\\s*"?${key}"?:\\s*(\\d+)\\s*(?:[,}#]|$)`, 'm').exec(
    settings,
  );
  return found === null ? usual : Number(found[1]);
}

/** "4 chains × (1 000 + 1 000)": warmup and sampling iterations; "16 chains × 1 000, 4 warmups × 1 000" if shared. */
export function samplingText(settings: string): string {
  const chains = numberIn(settings, 'num_chains', 4);
  const warmup = numberIn(settings, 'num_warmup', 1000);
  const samples = numberIn(settings, 'num_samples', numberIn(settings, 'iteration_count', 1000));
  if (/(?:^|[{,])\s*"?algorithm"?:\s*"?calibration\b/m.test(settings)) {
    const iterations = `${formatCount(numberIn(settings, 'num_warmup', 300))} + ${formatCount(numberIn(settings, 'num_samples', 300))}`;
    return `${formatCount(numberIn(settings, 'num_simulations', 100))} simulations × (${iterations})`;
  }
  const noun = chains === 1 ? 'chain' : 'chains';
  const warmups = numberIn(settings, 'warmup_chains', chains);
  if (warmups < chains && warmup > 0)
    return `${chains} ${noun} × ${formatCount(samples)}, ${warmups} warmups × ${formatCount(warmup)}`;
  return `${chains} ${noun} × (${formatCount(warmup)} + ${formatCount(samples)})`;
}
