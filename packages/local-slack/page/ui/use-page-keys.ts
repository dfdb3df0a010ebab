import { useEffect, useEffectEvent } from 'react';
import { enter, parts } from './places.ts';

interface Calls {
  onHelp: () => void;
  /** Escape, if nothing else handles it. */
  onLeave: () => void;
}

/** The keys that work all over the page; `KeyboardHelp` lists them. */
export function usePageKeys({ onHelp, onLeave }: Calls): void {
  const onKeyDown = useEffectEvent((key: KeyboardEvent) => {
    // A list or a dialog of the browser is on top.
    if (key.defaultPrevented || document.querySelector(':popover-open, dialog[open]')) return;
    if (key.key === 'Escape') onLeave();
    else if (key.key === 'F6') step(key.shiftKey ? -1 : 1);
    else if (isHelp(key)) onHelp();
    else return;
    key.preventDefault();
  });
  useEffect(() => {
    const listener = (key: KeyboardEvent) => onKeyDown(key);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** `?` outside of text fields, and Ctrl+/ everywhere, as in Slack. */
function isHelp({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (key === '/' && (ctrlKey || metaKey)) return true;
  return key === '?' && !(target instanceof Element && target.matches('input, textarea, select'));
}

function step(by: number): void {
  const all = parts();
  const at = all.findIndex((part) => part.contains(document.activeElement));
  enter(all.at((Math.max(at, by < 0 ? 0 : at) + by) % all.length));
}
