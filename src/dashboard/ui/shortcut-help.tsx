/** All keys, on `?`. */
import { Kbd, Modal } from '@mantine/core';
import classes from './shortcut-help.module.css';
import { goShortcuts, type Shortcut } from './shortcuts.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const control = isMac ? '⌘' : 'Ctrl';

const anywhere: readonly Shortcut[] = [
  { keys: [control, 'K'], words: 'Search or jump to anything' },
  { keys: ['/'], words: 'Search the list' },
  { keys: ['?'], words: 'This list' },
  { keys: ['Esc'], words: 'Close what is open' },
];
const editor: readonly Shortcut[] = [
  { keys: [control, 'S'], words: 'Save the model' },
  { keys: [control, '.'], words: 'Quick fix' },
  { keys: isMac ? ['⇧', '⌥', 'F'] : ['Shift', 'Alt', 'F'], words: 'Format the program' },
  { keys: ['F12'], words: 'Go to the definition' },
  { keys: isMac ? ['⇧', '⌘', 'O'] : ['Ctrl', 'Shift', 'O'], words: 'Go to a symbol' },
  {
    keys: isMac ? ['⌃', '⇧', 'M'] : ['Ctrl', 'M'],
    words: 'Switch whether Tab indents or leaves the editor',
  },
];

const plots: readonly Shortcut[] = [
  { keys: ['Tab'], words: 'Go to the next plot' },
  { keys: ['+', '−'], words: 'Zoom all traces in or out' },
  { keys: ['←', '→'], words: 'Move along the iterations' },
  { keys: ['0'], words: 'Show all iterations' },
  { keys: ['T'], words: 'Switch between plot and table' },
  { keys: ['Enter'], words: 'Enlarge it' },
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
        {shortcuts.map(({ keys, words }) => (
          <div key={words}>
            <dt>{words}</dt>
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
