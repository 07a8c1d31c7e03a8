/** The editor's colours are those of the page, light and dark. */
import { expect, it } from 'vitest';
import { editorTheme } from '../../../src/dashboard/editor/themes.ts';
import { tokens } from '../../../src/dashboard/tokens.ts';

it.each(['light', 'dark'] as const)(
  '%s: each token and widget has a colour of that scheme',
  (scheme) => {
    const { base, inherit, rules, colors } = editorTheme(scheme);
    const t = tokens[scheme];
    expect([base, inherit]).toEqual([scheme === 'light' ? 'vs' : 'vs-dark', true]);
    expect(rules.map(({ token, foreground }) => [token, `#${foreground}`])).toEqual([
      ['', t.text],
      ['keyword', t['code-keyword']],
      ['type', t['code-type']],
      ['function', t['code-function']],
      ['identifier', t.text],
      ['number', t['code-number']],
      ['string', t['code-string']],
      ['string.key', t['code-type']],
      ['comment', t['code-comment']],
      ['operator', t['code-operator']],
      ['delimiter', t['code-operator']],
    ]);
    const italic = rules.filter((rule) => 'fontStyle' in rule);
    expect(italic).toMatchObject([{ token: 'comment', fontStyle: 'italic' }]);
    // colours of the text, of widgets over it, of lists, and of two texts side by side
    expect(colors).toMatchObject({
      'editor.background': t.surface,
      'editor.selectionBackground': scheme === 'light' ? '#D1D6FE' : '#383B78',
      'editorWidget.background': t.raised,
      'menu.background': t.raised,
      'symbolIcon.functionForeground': t['code-function'],
      'symbolIcon.methodForeground': t['code-function'],
      ...Object.fromEntries(
        [
          'typeParameter',
          'text',
          'snippet',
          'namespace',
          'module',
          'variable',
          'class',
          'keyword',
        ].map((name) => [`symbolIcon.${name}Foreground`, t['code-type']]),
      ),
      'diffEditor.insertedLineBackground': t['mine-bg'],
    });
    for (const [name, color] of Object.entries(colors))
      expect(color, name).toMatch(/^#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/);
  },
);
