/** Jump anywhere: objects by name or id, actions, pages. */
import { Kbd, Modal, TextInput, UnstyledButton } from '@mantine/core';
import { IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { ObjectKind } from '../../../contract/common.ts';
import type { Capability } from '../../../contract/system.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { configQueryOptions, hasCapability } from '../../objects/server.ts';
import type { Services } from '../../services.ts';
import { usePageActions } from '../../ui/page-actions.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { matchesWords, piecesOf } from './match-words.ts';
import classes from './palette.module.css';
import { detailOf, fixedTargets, searchedKinds, type Target, targetOfId } from './targets.ts';

/** Most objects of one kind that are shown. */
const shownOfKind = 5;

export function Palette({ services, onClose }: { services: Services; onClose: () => void }) {
  const router = useRouter();
  useReturnFocus();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const words = text.trim().toLowerCase().split(/\s+/);
  const { shown, isSearching } = useTargets(services, text.trim(), words);
  const isFound = shown.length > 0;
  const current = Math.min(place, shown.length - 1);
  const go = (target: Target) => {
    onClose();
    if (target.run !== undefined) target.run();
    else void router.navigate({ href: target.to });
  };
  const move = (next: number) => {
    setPlace(next);
    document.getElementById(`palette-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') move((current + 1) % Math.max(1, shown.length));
    else if (event.key === 'ArrowUp')
      move((current - 1 + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter' && shown[current] !== undefined) go(shown[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      size={600}
      yOffset={112}
      padding={0}
      title={null}
      attributes={{ content: { 'aria-label': 'Search or jump to' } }}
    >
      <TextInput
        data-autofocus
        variant="unstyled"
        role="combobox"
        aria-expanded={isFound}
        aria-autocomplete="list"
        className={classes.input}
        leftSection={<IconSearch size={18} />}
        rightSection={<Kbd>Esc</Kbd>}
        rightSectionWidth={48}
        placeholder="Search or jump to"
        aria-label="Search or jump to"
        aria-controls={isFound ? 'palette-list' : undefined}
        aria-activedescendant={shown[current] === undefined ? undefined : `palette-${current}`}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKey}
      />
      {isFound ? (
        <Options shown={shown} words={words} current={current} onPoint={setPlace} onGo={go} />
      ) : (
        <p className={classes.none} role="status">
          {isSearching ? 'Searching…' : `No matches for “${text.trim()}”.`}
        </p>
      )}
      <footer className={classes.foot}>
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd> move <Kbd>Enter</Kbd> open <Kbd>?</Kbd> all shortcuts
      </footer>
    </Modal>
  );
}

interface OptionsProps {
  readonly shown: readonly Target[];
  readonly words: readonly string[];
  readonly current: number;
  readonly onPoint: (index: number) => void;
  readonly onGo: (target: Target) => void;
}

function Options({ shown, words, current, onPoint, onGo }: OptionsProps) {
  return (
    <div id="palette-list" role="listbox" aria-label="Found" className={classes.list}>
      {shown.map((target, index) => (
        <div key={`${target.group} ${target.to} ${target.label}`} role="presentation">
          {target.group !== shown[index - 1]?.group && (
            <p className={classes.group} role="presentation">
              {target.group}
            </p>
          )}
          <Option
            target={target}
            index={index}
            words={words}
            isCurrent={index === current}
            onPoint={() => onPoint(index)}
            onGo={() => onGo(target)}
          />
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly target: Target;
  readonly index: number;
  readonly words: readonly string[];
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onGo: () => void;
}

function Option({ target, index, words, isCurrent, onPoint, onGo }: OptionProps) {
  return (
    <UnstyledButton
      id={`palette-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className={classes.option}
      onMouseMove={onPoint}
      onClick={onGo}
    >
      <target.icon size={16} />
      <span className={classes.label}>
        {piecesOf(target.label, words).map((piece, place) =>
          // Pieces are identified by position only.
          piece.isMatch ? <b key={place}>{piece.text}</b> : <span key={place}>{piece.text}</span>,
        )}
      </span>
      <span className={classes.detail}>{target.detail}</span>
      {isCurrent ? <Kbd>Enter</Kbd> : target.keys?.map((key) => <Kbd key={key}>{key}</Kbd>)}
    </UnstyledButton>
  );
}

/** Milliseconds of rest before the server is sent the typed text. */
const typingRestMs = 150;

type ListPage = Awaited<ReturnType<Client['listObjects']>>;

interface Found {
  readonly shown: readonly Target[];
  /** More may come. */
  readonly isSearching: boolean;
}

/** The newest objects, and what the server finds if it can search. */
function useTargets(services: Services, text: string, words: readonly string[]): Found {
  const config = useQuery(configQueryOptions(services.client)).data;
  const canSearch = hasCapability(config, 'search');
  const isOffered = ({ needs }: { readonly needs?: Capability }) =>
    needs === undefined || hasCapability(config, needs);
  const kinds = searchedKinds.filter(isOffered);
  const q = useRested(canSearch ? text : '');
  const lists = useQueries({
    queries: kinds.map(({ kind, group, tags, isRare }) => ({
      queryKey: listKey(kind, group, q),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        services.client.listObjects({
          query: {
            object_type: kind,
            page_size: canSearch ? 50 : 200,
            q,
            ...(tags !== undefined && { tags: [...tags] }),
          },
          signal,
        }),
      // Until the server has searched, the newest objects are searched locally.
      placeholderData: () => services.queryClient.getQueryData<ListPage>(listKey(kind, group, '')),
      enabled: !isRare || text !== '',
    })),
  });
  const objects = kinds.flatMap(({ group, path, icon }, index) =>
    (lists[index]?.data?.objects ?? []).map((object): Target => {
      const id = 'short_id' in object ? object.short_id : '';
      const label = 'name' in object && object.name !== '' ? object.name : id;
      return { group, label, detail: detailOf(object), to: path + id, icon };
    }),
  );
  const matches = ({ label, to }: Target) => matchesWords(words, label, to);
  const found = kinds.flatMap(({ group }) =>
    objects.filter((target) => target.group === group && matches(target)).slice(0, shownOfKind),
  );
  const ofPage = usePageActions()
    .map((action): Target => ({ ...action, group: 'This page', to: '', icon: IconPlayerPlay }))
    .filter(matches);
  const direct = targetOfId(text);
  const isFound = found.some(({ to }) => to.endsWith(text));
  return {
    shown: [
      ...(direct === null || isFound ? [] : [direct]),
      // Enter in a newly opened palette must navigate, not act.
      ...(text === '' ? [...found, ...ofPage] : [...ofPage, ...found]),
      ...fixedTargets.filter((target) => isOffered(target) && matches(target)),
    ],
    isSearching: (canSearch && q !== text) || lists.some((list) => list.isFetching),
  };
}

const listKey = (kind: ObjectKind, group: string, q: string) =>
  objectKeys(kind).list('palette', group, q);

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), typingRestMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
