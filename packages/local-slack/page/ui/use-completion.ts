import { useState } from 'react';
import type { PageState } from '../../src/page-api.ts';
import { type Completion, complete, type Suggestion } from '../model/completion.ts';

/** The list of suggestions over a composer, and the keys that move in it. */
export interface CompletionList {
  /** `null` while there is nothing to suggest. */
  open: Completion | null;
  /** Index of the highlighted suggestion. */
  chosen: number;
  /** The text or the caret has changed. */
  moved: (typed: string, caret: number) => void;
  accept: (suggestion: Suggestion) => void;
  close: () => void;
  /** Whether the key was meant for the list. */
  onKey: (key: string) => boolean;
}

/** `onAccept` gets the text with the suggestion in it, and the new position of the caret. */
export function useCompletion(
  workspace: PageState,
  onAccept: (typed: string, caret: number) => void,
): CompletionList {
  const [open, setOpen] = useState<Completion | null>(null);
  const [chosen, setChosen] = useState(0);
  const [written, setWritten] = useState({ typed: '', caret: 0 });

  const moved = (typed: string, caret: number) => {
    setWritten({ typed, caret });
    setOpen(complete(typed, caret, workspace));
    setChosen(0);
  };
  const close = () => setOpen(null);
  const accept = ({ insert }: Suggestion) => {
    if (!open) return;
    const head = `${written.typed.slice(0, open.from)}${insert}`;
    onAccept(`${head}${written.typed.slice(written.caret)}`, head.length);
  };
  const onKey = (key: string): boolean => {
    if (!open) return false;
    const count = open.suggestions.length;
    const marked = open.suggestions[chosen];
    if (key === 'ArrowDown') setChosen((chosen + 1) % count);
    else if (key === 'ArrowUp') setChosen((chosen + count - 1) % count);
    else if (key === 'Escape') close();
    else if ((key === 'Enter' || key === 'Tab') && marked) accept(marked);
    else return false;
    return true;
  };
  return { open, chosen, moved, accept, close, onKey };
}
