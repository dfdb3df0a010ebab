import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import type { Row } from '../model/rows.ts';

interface CurrentMessage {
  /** `ts` of the message at which the Tab key stops. */
  key: string | null;
  onFocus: (focus: FocusEvent) => void;
  onKeyDown: (key: KeyboardEvent) => void;
}

/** One message of a list takes the focus: the newest, until the arrow keys move to another. */
export function useCurrentMessage(rows: readonly Row[]): CurrentMessage {
  const [visited, setVisited] = useState<string | null>(null);
  return {
    key: rows.find(({ key }) => key === visited)?.key ?? rows.at(-1)?.key ?? null,
    onFocus: ({ target }) => {
      const ts = target.closest('article')?.dataset.ts;
      if (ts !== undefined) setVisited(ts);
    },
    onKeyDown: (key) => {
      if (key.key !== 'ArrowUp' && key.key !== 'ArrowDown') return;
      if (!(key.target instanceof HTMLElement) || !key.target.matches('article')) return;
      const articles = [...key.currentTarget.querySelectorAll('article')];
      const at = articles.indexOf(key.target);
      key.preventDefault();
      articles[key.key === 'ArrowUp' ? at - 1 : at + 1]?.focus();
    },
  };
}
