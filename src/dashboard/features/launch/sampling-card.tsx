/** The settings of the sampler: the usual ones, and the others collapsed below. */
import { Radio } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { HelpLink } from '../../ui/help-link.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { advancedText, fieldsOf } from '../launching/launch-settings.ts';
import { SettingInputs } from '../launching/setting-input.tsx';
import { SettingsNote } from '../launching/settings-note.tsx';
import type { Launch } from '../launching/use-launch.ts';
import classes from './launch.module.css';

interface LaunchOf {
  readonly launch: Launch;
}

interface SamplingCardProps extends LaunchOf {
  /** Of the run that is repeated. */
  readonly sameSeed: string | null;
}

export function SamplingCard({ launch, sameSeed }: SamplingCardProps) {
  return (
    <section className={classes.card} aria-labelledby="launch-sampling">
      <header>
        <div>
          <h2 id="launch-sampling" className={classes.named}>
            Sampling
          </h2>
          <HelpLink topic="algorithms" of="the algorithms" />
        </div>
        <SettingsNote launch={launch} />
        {launch.useLast !== null && (
          <TextButton onClick={launch.useLast}>Use the last settings for this model</TextButton>
        )}
      </header>
      {sameSeed !== null && <SeedChoice launch={launch} sameSeed={sameSeed} />}
      <Settings launch={launch} advanced={false} />
      <Advanced launch={launch} />
    </section>
  );
}

/** The same seed gives the same draws if nothing else changes; any other input is neither. */
function SeedChoice({ launch, sameSeed }: LaunchOf & { sameSeed: string }) {
  const seed = (launch.texts.seed ?? '').replace(/\s/g, '');
  return (
    <Radio.Group
      label="Seed of this run"
      className={classes.seed}
      value={seed === '' ? 'new' : seed === sameSeed ? 'same' : ''}
      onChange={(value) => launch.setText('seed', value === 'same' ? sameSeed : '')}
    >
      <Radio
        value="new"
        label="New seed"
        description="Different draws from the same posterior: a check of the first run"
      />
      <Radio
        value="same"
        label={`Same seed, ${sameSeed}`}
        description="The same draws, if nothing else changes"
      />
    </Radio.Group>
  );
}

function Settings(props: LaunchOf & { advanced: boolean }) {
  return <SettingInputs {...props} shape="field" className={classes.three} />;
}

function Advanced({ launch }: LaunchOf) {
  const [isOpen, setIsOpen] = useState(false);
  // A field with an error is never collapsed.
  const isShown =
    isOpen ||
    fieldsOf(launch.texts).some((field) => field.advanced && launch.problems.has(field.key));
  const Chevron = isShown ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.advanced}>
      <button type="button" aria-expanded={isShown} onClick={() => setIsOpen(!isOpen)}>
        <Chevron size={16} aria-hidden="true" />
        <strong>Advanced</strong>
        <span>{advancedText(launch.texts).toLowerCase()}</span>
      </button>
      {isShown && <Settings launch={launch} advanced />}
    </div>
  );
}
