import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import type { Row } from '../model/rows.ts';

interface CurrentMessage {
  /** `ts` of the message at which the Tab key stops. */
  key: string | null;
  onFocus: (focus: FocusEvent) => void;
  onKeyDown: (key: KeyboardEvent) => void;
}

/** Where each key leads from the message at an index. */
const MOVES: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowUp: (at) => at - 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** The tool of a message that each key presses, by its label. */
const TOOLS: Readonly<Record<string, string>> = {
  Enter: 'Reply in thread',
  ArrowRight: 'Reply in thread',
  t: 'Reply in thread',
  r: 'React',
  a: 'More actions',
};

/** One message of a list can be focused: the newest, until the arrow keys move to another. */
export function useCurrentMessage(rows: readonly Row[]): CurrentMessage {
  const [visited, setVisited] = useState<string | null>(null);
  return {
    key: rows.find(({ key }) => key === visited)?.key ?? rows.at(-1)?.key ?? null,
    onFocus: ({ target }) => {
      const ts = target.closest('article')?.dataset.ts;
      if (ts !== undefined) setVisited(ts);
    },
    onKeyDown: (key) => {
      if (!(key.target instanceof HTMLElement) || !key.target.matches('article')) return;
      if (key.ctrlKey || key.metaKey || key.altKey) return;
      const isTaken = move(key.currentTarget, key.target, key.key) || use(key.target, key.key);
      if (isTaken) key.preventDefault();
    },
  };
}

function move(list: Element, from: HTMLElement, key: string): boolean {
  const next = MOVES[key];
  if (next === undefined) return false;
  const articles = [...list.querySelectorAll('article')];
  articles[next(articles.indexOf(from), articles.length - 1)]?.focus();
  return true;
}

function use(message: HTMLElement, key: string): boolean {
  const tools = [...message.querySelectorAll<HTMLElement>('.tools .tool')];
  const tool = tools.find((one) => one.getAttribute('aria-label') === TOOLS[key]);
  tool?.click();
  return tool !== undefined;
}
