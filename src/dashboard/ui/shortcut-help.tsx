/** All keys, on `?`. */
import { Kbd, Modal } from '@mantine/core';
import classes from './shortcut-help.module.css';
import { controlKey as control, goShortcuts, isMac, type Shortcut } from './shortcuts.ts';

const anywhere: readonly Shortcut[] = [
  { keys: [control, 'K'], label: 'Search or jump to anything' },
  { keys: ['/'], label: 'Search the list' },
  { keys: [control, 'Z'], label: 'Undo the last deletion, tag or rename' },
  { keys: ['?'], label: 'This list' },
  { keys: ['Esc'], label: 'Close what is open' },
];
const editor: readonly Shortcut[] = [
  { keys: [control, 'S'], label: 'Save the model' },
  { keys: [control, 'Enter'], label: 'Run the model' },
  { keys: [control, 'Shift', 'F'], label: 'Find in all files' },
  { keys: [control, '.'], label: 'Quick fix' },
  { keys: isMac ? ['⇧', '⌥', 'F'] : ['Shift', 'Alt', 'F'], label: 'Format the program' },
  { keys: isMac ? ['⌥', 'Z'] : ['Alt', 'Z'], label: 'Wrap long lines' },
  { keys: ['F2'], label: 'Rename a variable or function' },
  { keys: ['F12'], label: 'Go to the definition' },
  { keys: ['Shift', 'F12'], label: 'Show all references' },
  { keys: isMac ? ['⇧', '⌘', 'O'] : ['Ctrl', 'Shift', 'O'], label: 'Go to a symbol' },
  {
    keys: isMac ? ['⌃', '⇧', 'M'] : ['Ctrl', 'M'],
    label: 'Set whether Tab indents or leaves the editor',
  },
];

const plots: readonly Shortcut[] = [
  { keys: ['Tab'], label: 'Go to the next plot' },
  { keys: ['+', '−'], label: 'Zoom all traces in or out' },
  { keys: ['←', '→'], label: 'Move along the iterations' },
  { keys: ['0'], label: 'Show all iterations' },
  { keys: ['T'], label: 'Switch between plot and table' },
  { keys: ['Enter'], label: 'Enlarge it' },
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} size={560} title="Keyboard shortcuts">
      <div className={classes.groups}>
        <Group title="Anywhere" shortcuts={anywhere} />
        <Group title="Go to" shortcuts={goShortcuts} />
        <Group title="On a plot" shortcuts={plots} />
        <Group title="Model editor" shortcuts={editor} />
      </div>
    </Modal>
  );
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h2>{title}</h2>
      <dl>
        {shortcuts.map(({ keys, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
