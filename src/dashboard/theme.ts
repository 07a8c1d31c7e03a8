/** Mantine with our look: the settings of the visual system, per component. */
import {
  ActionIcon,
  Button,
  Checkbox,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
} from '@mantine/core';
import { tokens } from './tokens.ts';

const colors = {
  accent: '#F4F5FE #E7EAFE #D1D6FE #B4BBFE #989DFB #7A7EF2 #5455D7 #4244B9 #333593 #242666',
  green: '#ECF9F1 #D7F1E1 #B4E5C7 #87D5A8 #4CC38A #3BAA73 #0B7A4B #0E653F #075030 #033B22',
  amber: '#FEF3E5 #FEE6C5 #F9D098 #EEB563 #E5A943 #C38406 #8F5600 #734C02 #5A3B02 #432B01',
  red: '#FEF2F1 #FDE2DF #FDC9C3 #FEA69D #FF8178 #F05751 #C22F2F #9C1A1E #7B1617 #5A1111',
  gray: '#F6F7F9 #F1F3F6 #E1E4EA #CDD2DA #B1B8C3 #828A97 #656D7B #545C6A #3A414D #171A21',
  dark: '#E6E9EF #C6CCD6 #A5ADBA #8A92A0 #3A414D #282D36 #1D2128 #15181D #111419 #0E1014',
};

const tuple = (shades: string) => shades.split(' ') as unknown as MantineColorsTuple;
const transition = {
  transition: 'fade',
  duration: 160,
  timingFunction: 'cubic-bezier(.2,0,0,1)',
} as const;

/** The list of options scrolls itself: a box around it would be a tab stop that the keyboard cannot reach. */
const scrollingList = { options: { maxHeight: 240, overflowY: 'auto' } } as const;

/** Height, padding and size of the text, pixels. */
const buttonSizes = {
  'compact-xs': [24, 7, 12],
  'compact-sm': [28, 8, 13],
  xs: [28, 10, 13],
  sm: [32, 14, 13],
  md: [44, 14, 15],
} as const;

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: 6,
  colors: Object.fromEntries(Object.entries(colors).map(([name, shades]) => [name, tuple(shades)])),
  white: '#FFFFFF',
  black: '#171A21',
  autoContrast: false,
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace: "'Geist Mono Variable', ui-monospace, 'SF Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.3333', sm: '1.5385', md: '1.4286', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '14px', lineHeight: '20px' },
      h3: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '16px' },
  defaultRadius: 'sm',
  breakpoints: { xs: '30em', sm: '48em', md: '64em', lg: '80em', xl: '105em' },
  shadows: {
    xs: '0 1px 2px rgba(20,24,33,.06)',
    sm: '0 1px 2px rgba(20,24,33,.06)',
    md: 'var(--e-pop)',
    lg: 'var(--e-pop)',
    xl: 'var(--e-pop)',
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // A filled button is the one thing to do on a page or in a dialog, so it is the exception.
    Button: Button.extend({
      defaultProps: { size: 'sm', variant: 'default' },
      // Its label is never truncated: a row of buttons wraps.
      styles: { root: { flexShrink: 0, fontWeight: 500 } },
      vars: (_, { size }) => {
        const [height, padding, text] =
          buttonSizes[size as keyof typeof buttonSizes] ?? buttonSizes.sm;
        return {
          root: {
            '--button-height': `${height}px`,
            '--button-padding-x': `${padding}px`,
            '--button-fz': `${text}px`,
          },
        };
      },
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { size: 32, variant: 'subtle', color: 'gray' },
    }),
    Input: Input.extend({
      vars: (_, props) => ({
        wrapper: props.multiline
          ? { '--input-padding': '10px' }
          : { '--input-height': '32px', '--input-fz': '13px', '--input-padding': '10px' },
      }),
    }),
    Checkbox: Checkbox.extend({
      defaultProps: { size: 'xs', radius: 'xs' },
      vars: () => ({ root: { '--checkbox-size': '16px' } }),
    }),
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Select: {
      defaultProps: {
        size: 'sm',
        withScrollArea: false,
        comboboxProps: { shadow: 'md', transitionProps: transition },
      },
      styles: scrollingList,
    },
    MultiSelect: { defaultProps: { withScrollArea: false }, styles: scrollingList },
    TagsInput: { defaultProps: { withScrollArea: false }, styles: scrollingList },
    Autocomplete: { defaultProps: { withScrollArea: false }, styles: scrollingList },
    NumberInput: { defaultProps: { size: 'sm', hideControls: true, thousandSeparator: '\u202f' } },
    InputWrapper: {
      defaultProps: {
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
        withAsterisk: false,
      },
    },
    Tabs: { defaultProps: { keepMounted: false } },
    SegmentedControl: { defaultProps: { size: 'xs', withItemsBorders: false } },
    Menu: {
      defaultProps: {
        position: 'bottom-end',
        shadow: 'md',
        radius: 'md',
        transitionProps: transition,
        // a menu must not have a focusable placeholder as a child: the first item takes the focus
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: {
      defaultProps: {
        radius: 'lg',
        returnFocus: true,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: transition,
        overlayProps: { color: 'var(--e-scrim)', backgroundOpacity: 1, blur: 0 },
      },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 160 } } },
    Tooltip: {
      defaultProps: {
        openDelay: 400,
        withArrow: false,
        fz: 12,
        events: { hover: true, focus: true, touch: true },
      },
    },
    Skeleton: { defaultProps: { animate: false } },
    Loader: { defaultProps: { type: 'dots' } },
  },
});

/** Our tokens, and Mantine's own variables derived from them. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: variablesOf('light'),
  dark: variablesOf('dark'),
});

function variablesOf(scheme: 'light' | 'dark'): Record<string, string> {
  const t = tokens[scheme];
  const own = Object.fromEntries(Object.entries(t).map(([name, value]) => [`--e-${name}`, value]));
  const toned = (name: string, token: 'accent' | 'good' | 'warn' | 'bad') => ({
    [`--mantine-color-${name}-light`]: t[`${token}-bg`],
    [`--mantine-color-${name}-light-hover`]: t[`${token}-bg`],
    [`--mantine-color-${name}-light-color`]: token === 'accent' ? t['accent-text'] : t[token],
  });
  return {
    ...own,
    '--mantine-color-body': t.surface,
    '--mantine-color-text': t.text,
    '--mantine-color-dimmed': t.dim,
    '--mantine-color-placeholder': t.faint,
    '--mantine-color-anchor': t['accent-text'],
    '--mantine-color-error': t.bad,
    '--mantine-color-success': t.good,
    '--mantine-color-default': t.surface,
    '--mantine-color-default-hover': t.hover,
    '--mantine-color-default-border': t['border-strong'],
    '--mantine-color-disabled': t.sunken,
    '--mantine-color-disabled-color': t.faint,
    '--mantine-color-disabled-border': t.border,
    '--mantine-color-gray-light-color': t.dim,
    '--mantine-color-gray-light-hover': t.hover,
    ...toned('accent', 'accent'),
    ...toned('green', 'good'),
    ...toned('amber', 'warn'),
    ...toned('red', 'bad'),
  };
}
