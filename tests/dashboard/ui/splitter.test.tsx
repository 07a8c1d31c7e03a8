// Runs in a window.
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Splitter, useSplitSize } from '../../../src/dashboard/ui/splitter.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const key = 'ergodic.split.test';

function Parts({ part = 'before' as 'before' | 'after' }) {
  const split = useSplitSize('test', { initial: 200, least: 100, most: 300 });
  return <Splitter label="Width" split={split} part={part} />;
}
function open(part?: 'before' | 'after') {
  render(<Parts part={part} />);
  const line = screen.getByRole('separator', { name: 'Width' });
  const size = () => Number(line.getAttribute('aria-valuenow'));
  return { line, size, press: (name: string) => fireEvent.keyDown(line, { key: name }) };
}

describe('a splitter', () => {
  it('is moved by keys within its bounds and remembers where it stood', () => {
    const { line, size, press } = open();
    expect(line.tabIndex).toBe(0);
    press('ArrowRight');
    expect(size()).toBe(216);
    expect(localStorage.getItem(key)).toBe('216');
    press('End');
    press('ArrowRight');
    expect(size()).toBe(300);
    press('Home');
    expect(size()).toBe(100);
    cleanup();
    expect(open().size()).toBe(100);
  });

  it('resizes the part after it in the other direction', () => {
    const { size, press } = open('after');
    press('ArrowRight');
    expect(size()).toBe(184);
  });

  it('returns to its initial size on a double click, and forgets the other', () => {
    const { line, size, press } = open();
    press('ArrowLeft');
    fireEvent.doubleClick(line);
    expect(size()).toBe(200);
    expect(localStorage.getItem(key)).toBeNull();
  });

  it('ignores an invalid stored size, and limits one that is out of bounds', () => {
    localStorage.setItem(key, 'wide');
    expect(open().size()).toBe(200);
    cleanup();
    localStorage.setItem(key, '9999');
    expect(open().size()).toBe(300);
  });
});
