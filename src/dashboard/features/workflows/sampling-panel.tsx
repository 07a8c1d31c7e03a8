/** The settings of a workflow, as a form or as the stored YAML. */
import { SegmentedControl, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { objectQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { fieldsOf } from '../launching/launch-settings.ts';
import { SettingInput } from '../launching/setting-input.tsx';
import classes from './workflows.module.css';

type Yaml = typeof import('./settings-yaml.ts');

export interface SamplingPanelProps {
  /** Its runtime has its own settings; empty: not chosen yet. */
  readonly modelId: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function SamplingPanel({ modelId, text, onChange }: SamplingPanelProps) {
  const client = useClient();
  const model = useQuery({
    ...objectQueryOptions(client, 'model', modelId),
    enabled: modelId !== '',
  });
  const env = model.data?.env ?? '';
  const [shape, setShape] = useState<'form' | 'yaml'>('form');
  const [yaml, setYaml] = useState<Yaml | null>(null);
  useEffect(() => {
    let isGone = false;
    void import('./settings-yaml.ts').then((module) => {
      if (!isGone) setYaml(module);
    });
    return () => {
      isGone = true;
    };
  }, []);
  const read = yaml?.readSettings(text, env);
  const texts = read?.texts;
  return (
    <>
      <SegmentedControl
        aria-label="Settings as"
        className={classes.shape}
        value={shape}
        onChange={(value) => setShape(value as 'form' | 'yaml')}
        data={[
          { value: 'form', label: 'Form' },
          { value: 'yaml', label: 'YAML' },
        ]}
      />
      {shape === 'form' && texts ? (
        <div className={classes.fields}>
          {fieldsOf(texts)
            .filter((field) => !field.advanced || (texts[field.key] ?? '') !== '')
            .map((field) => (
              <SettingInput
                key={field.key}
                field={field}
                shape="line"
                text={texts[field.key] ?? ''}
                problem={undefined}
                onChange={(value) =>
                  onChange(yaml?.withSetting(text, { key: field.key, value, env }) ?? text)
                }
              />
            ))}
        </div>
      ) : (
        <Textarea
          aria-label="Settings"
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          classNames={{ input: classes.code }}
          placeholder={'sampling:\n  num_chains: 4'}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {read !== undefined && <Judgement problems={read.problems} unknown={read.unknown} />}
    </>
  );
}

interface JudgementProps {
  readonly problems: ReturnType<Yaml['readSettings']>['problems'];
  readonly unknown: readonly string[];
}

function Judgement({ problems, unknown }: JudgementProps) {
  if (problems.length > 0)
    return (
      <ul className={classes.problems} aria-label="Problems in the settings">
        {problems.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            <IconAlertTriangle size={16} aria-hidden="true" />
            {line === null ? message : `Line ${line}: ${message}`}
          </li>
        ))}
      </ul>
    );
  return (
    <p className={classes.valid}>
      <IconCheck size={16} aria-hidden="true" />
      Valid. Everything else uses its default.
      {unknown.length > 0 && ` Stored, but not used here: ${unknown.join(', ')}.`}
    </p>
  );
}
