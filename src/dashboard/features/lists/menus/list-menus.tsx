/** Saved views and columns of a list, at the end of its tools. A separate chunk: the list is painted first. */
import {
  ActionIcon,
  Button,
  Checkbox,
  Menu,
  Popover,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { IconBookmark, IconColumns3, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Form } from '../../../ui/form.tsx';
import { useCopy } from '../../../ui/use-copy.ts';
import classes from './list-menus.module.css';
import { isSameView, type SavedView, type ViewSearch } from './saved-views.ts';
import { useSavedViews } from './use-saved-views.ts';

/** Maximum length of a view's name. */
const mostName = 60;

export interface ListMenusProps {
  /** Of the list. */
  readonly name: string;
  /** What is currently shown, including the columns. */
  readonly search: ViewSearch;
  readonly onView: (search: ViewSearch) => void;
  readonly columns: readonly { readonly key: string; readonly title: string }[];
  readonly shown: readonly string[];
  /** Null: the default ones. */
  readonly onColumns: (keys: readonly string[] | null) => void;
}

export function ListMenus(props: ListMenusProps) {
  return (
    <>
      <ViewsMenu {...props} />
      <ColumnMenu {...props} />
    </>
  );
}

function ColumnMenu({ columns, shown, onColumns }: ListMenusProps) {
  const toggle = (key: string, isShown: boolean) => {
    const next = new Set(shown);
    if (isShown) next.add(key);
    else next.delete(key);
    onColumns(columns.filter((column) => next.has(column.key)).map((column) => column.key));
  };
  return (
    <Popover position="bottom-end" width={200} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={32}
          aria-label="Columns"
          title="Columns"
          visibleFrom="sm"
        >
          <IconColumns3 size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" className={classes.columns}>
        {columns.map(({ key, title }) => (
          <Checkbox
            key={key}
            label={title}
            checked={shown.includes(key)}
            onChange={(event) => toggle(key, event.currentTarget.checked)}
          />
        ))}
        <Button size="xs" variant="subtle" color="gray" onClick={() => onColumns(null)}>
          Default columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

function ViewsMenu({ name, search, onView }: ListMenusProps) {
  const { isOfAccount, views, save, remove } = useSavedViews(name);
  const [isOpen, setOpen] = useState(false);
  /** The view being named: a new one, or an existing one being renamed. */
  const [named, setNamed] = useState<SavedView | null>(null);
  const current = views.find((view) => isSameView(view.search, search));
  // The name of the view in a link: stored only if the user saves it.
  const [linked] = useState(() => linkedName(window.location.hash));
  const { copy } = useCopy(addressWith(search.cols ?? '', current?.name ?? ''));
  return (
    <Menu
      width={260}
      opened={isOpen}
      onChange={(next) => {
        setOpen(next);
        setNamed(null);
      }}
      closeOnItemClick={false}
      returnFocus
    >
      <Menu.Target>
        <UnstyledButton className={classes.views} title="Saved views" data-end>
          <IconBookmark size={16} aria-hidden="true" />
          <span>{current?.name ?? 'Views'}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {views.length === 0 && <Menu.Label>No saved views</Menu.Label>}
        {views.map((view) => (
          <ViewRow
            key={view.name}
            view={view}
            isCurrent={view === current}
            onShow={() => {
              onView(view.search);
              setOpen(false);
            }}
            onRename={() => setNamed(view)}
            onDelete={() => remove(view)}
          />
        ))}
        <Menu.Divider />
        {named === null ? (
          <Menu.Item
            onClick={() => setNamed({ name: current === undefined ? linked : '', search })}
          >
            Save this view
          </Menu.Item>
        ) : (
          <NameForm
            name={named.name}
            onSave={(title) => {
              save(title, named);
              setNamed(null);
            }}
          />
        )}
        <Menu.Item
          onClick={() => {
            copy();
            setOpen(false);
          }}
        >
          Copy the link to this view
        </Menu.Item>
        <p className={classes.kept}>
          {isOfAccount
            ? 'Views are saved in your account. A link shows one to another person.'
            : 'Views are saved in this browser. A link opens one in another.'}
        </p>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ViewRowProps {
  readonly view: SavedView;
  readonly isCurrent: boolean;
  readonly onShow: () => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function ViewRow({ view, isCurrent, onShow, onRename, onDelete }: ViewRowProps) {
  return (
    <div className={classes.view}>
      <Menu.Item aria-current={isCurrent || undefined} onClick={onShow}>
        {view.name}
      </Menu.Item>
      <ActionIcon aria-label={`Rename ${view.name}`} onClick={onRename}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon aria-label={`Delete ${view.name}`} onClick={onDelete}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  );
}

function NameForm({ name, onSave }: { name: string; onSave: (name: string) => void }) {
  const [text, setText] = useState(name);
  return (
    <Form
      className={classes.name}
      onSubmit={() => {
        if (text.trim() !== '') onSave(text.trim());
      }}
    >
      <TextInput
        size="xs"
        autoFocus
        aria-label="Name of the view"
        placeholder="Name of the view"
        maxLength={mostName}
        value={text}
        // keys typed in the name must not reach the menu
        onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button variant="filled" type="submit" size="xs" disabled={text.trim() === ''}>
        Save
      </Button>
    </Form>
  );
}

/** The address of this page plus what only this browser remembers: its columns, and the view's name. */
function addressWith(cols: string, view: string): string {
  const address = new URL(window.location.href);
  if (cols !== '') address.searchParams.set('cols', cols);
  address.hash = view === '' ? '' : `${linkMark}${encodeURIComponent(view)}`;
  return address.href;
}

const linkMark = 'view=';

/** The view's name in a link; empty: none. */
function linkedName(hash: string): string {
  if (!hash.startsWith(`#${linkMark}`)) return '';
  try {
    return decodeURIComponent(hash.slice(linkMark.length + 1)).slice(0, mostName);
  } catch {
    return '';
  }
}
