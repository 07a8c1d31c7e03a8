/** Makes an event, a callback, or a relation between the two. */
import { Button, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { kindOfId } from '../../../contract/common.ts';
import type { CreatePayload } from '../../../contract/objects.ts';
import classes from './events.module.css';
import type { EventKind } from './queries.ts';

const languages = ['javascript', 'julia', 'python'] as const;
type Language = (typeof languages)[number];

export interface CreateFormProps {
  readonly client: Client;
  readonly kind: EventKind;
  readonly onMade: (id: string) => void;
}

export function CreateForm({ client, kind, onMade }: CreateFormProps) {
  const [name, setName] = useState('');
  const [lang, setLang] = useState<Language>('javascript');
  const [code, setCode] = useState('');
  const [single, setSingle] = useState(true);
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const payload = ((): CreatePayload | null => {
    if (kind === 'event')
      return name.trim() === '' ? null : { object_type: 'event', name: name.trim() };
    if (kind === 'callback') {
      if (code.trim() === '') return null;
      return { object_type: 'callback', lang, code, single_instance: single };
    }
    const [object1_id, object2_id] = [first.trim(), second.trim()];
    const called = kindOfId(object2_id);
    if (kindOfId(object1_id) !== 'event' || (called !== 'callback' && called !== 'model'))
      return null;
    return { object_type: 'relation', object1_id, object2_id };
  })();
  const save = async () => {
    if (payload === null) return;
    try {
      const made = await client.createObject({ body: { payload } });
      onMade('short_id' in made ? made.short_id : '');
    } catch (error) {
      setProblem(ApiError.from(error).message);
    }
  };
  return (
    <form
      className={`${classes.panel} ${classes.form}`}
      aria-label={`New ${kind}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {kind === 'event' && (
        <TextInput
          label="Name"
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      {kind === 'callback' && (
        <>
          <Select
            label="Language"
            allowDeselect={false}
            data={[...languages]}
            value={lang}
            onChange={(value) => setLang(languages.find((one) => one === value) ?? lang)}
          />
          <Textarea
            label="Code"
            description="The program, or gist:<id>:<file>, or repo:<owner>/<name>:<file>."
            autosize
            minRows={6}
            maxRows={20}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Switch
            label="One call at a time"
            checked={single}
            onChange={(event) => setSingle(event.currentTarget.checked)}
          />
        </>
      )}
      {kind === 'relation' && (
        <>
          <TextInput
            label="Event"
            description="Its id, which begins with E."
            value={first}
            onChange={(event) => setFirst(event.currentTarget.value)}
          />
          <TextInput
            label="Calls"
            description="Id of a callback (C) or a function (M)."
            value={second}
            onChange={(event) => setSecond(event.currentTarget.value)}
          />
        </>
      )}
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          Not made: {problem}
        </p>
      )}
      <div className={classes.actions}>
        <Button type="submit" disabled={payload === null}>
          Create {kind}
        </Button>
      </div>
    </form>
  );
}
