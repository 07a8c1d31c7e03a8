/** The settings of the sampler: the usual ones, and the others folded below. */
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { TextButton } from '../../ui/text-button.tsx';
import { settingFields } from '../launching/launch-settings.ts';
import { SettingInput } from '../launching/setting-input.tsx';
import type { Launch } from '../launching/use-launch.ts';
import classes from './launch.module.css';

interface LaunchOf {
  readonly launch: Launch;
}

export function SamplingCard({ launch }: LaunchOf) {
  return (
    <section className={classes.card} aria-labelledby="launch-sampling">
      <header>
        <h2 id="launch-sampling">Sampling</h2>
        {launch.useLast !== null && (
          <TextButton onClick={launch.useLast}>Use the last settings for this model</TextButton>
        )}
      </header>
      <Settings launch={launch} advanced={false} />
      <Advanced launch={launch} />
    </section>
  );
}

function Settings({ launch, advanced }: LaunchOf & { advanced: boolean }) {
  return (
    <div className={classes.three}>
      {settingFields
        .filter((field) => field.advanced === advanced)
        .map((field) => (
          <SettingInput
            key={field.key}
            shape="field"
            field={field}
            text={launch.texts[field.key] ?? ''}
            problem={launch.problems.get(field.key)}
            onChange={(text) => launch.setText(field.key, text)}
          />
        ))}
    </div>
  );
}

function Advanced({ launch }: LaunchOf) {
  const [isOpen, setIsOpen] = useState(false);
  // A field at fault is never folded away.
  const isShown =
    isOpen || settingFields.some((field) => field.advanced && launch.problems.has(field.key));
  const Chevron = isShown ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.advanced}>
      <button type="button" aria-expanded={isShown} onClick={() => setIsOpen(!isOpen)}>
        <Chevron size={16} aria-hidden="true" />
        <strong>Advanced</strong>
        <span>metric, thin, init radius, save warmup, limits</span>
      </button>
      {isShown && <Settings launch={launch} advanced />}
    </div>
  );
}
