import { useEffect, useEffectEvent } from 'react';
import { useShownDialog } from './basics.tsx';

const KEYS = [
  ['F6', 'Next part of the page: channels, messages, side pane. Shift+F6: the previous one.'],
  ['↑ and ↓', 'Previous or next message; Home and End go to the first and the last.'],
  ['Enter, → or T', 'Open the thread.'],
  ['R', 'Add a reaction.'],
  ['A', 'More actions.'],
  ['Tab', 'Into the message: its links, buttons and menus.'],
  ['↑', 'In an empty composer: go to the newest message.'],
  ['/ @ # :', 'Complete a command, person, channel or emoji: ↑ ↓ to select, Enter or Tab to accept.'],
  ['Enter', 'Send. Shift+Enter starts a new line; Ctrl+Enter submits a modal.'],
  ['Esc', 'Close what is on top: a menu, a modal, an error, the thread.'],
  ['?', 'This list. Ctrl+/ in a composer.'],
] as const;

/** What can be done with keys; Escape and its button close it. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const dialog = useShownDialog();
  return (
    <dialog ref={dialog} className="keyboard" aria-labelledby="keyboard-title" onClose={onClose}>
      <header>
        <h2 id="keyboard-title">Keyboard</h2>
        <button type="button" className="plain close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <dl>
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}

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

/** Where something is written in a part of the page, `null` if nothing is. */
export function composerIn(part: Element | null | undefined): HTMLElement | null {
  return part?.querySelector('textarea') ?? null;
}

/** The message of a list at which the Tab key stops. */
export function currentMessageIn(part: Element | null | undefined): HTMLElement | null {
  return part?.querySelector<HTMLElement>('article[tabindex="0"]') ?? null;
}

/** The open thread, `null` if none is. */
export function threadPart(): HTMLElement | null {
  return document.querySelector<HTMLElement>('aside[data-thread]');
}

/** A message by its `ts`, in a part of the page. */
export function messageIn(part: Element | null, ts: string | undefined): HTMLElement | null {
  const articles = part?.querySelectorAll<HTMLElement>('article') ?? [];
  return [...articles].find((article) => article.dataset.ts === ts) ?? null;
}

/** The visible parts of the page in order: channels, channel or Home, and what is beside it. */
function parts(): HTMLElement[] {
  const all = document.querySelectorAll<HTMLElement>('.page > :is(nav, main, aside)');
  return [...all].filter((part) => part.checkVisibility());
}

/** Focuses a part of the page: the open channel in the list of channels, else the composer. */
function enter(part: HTMLElement | undefined): void {
  const open = part?.querySelector<HTMLElement>('.places [aria-current]');
  (open ?? composerIn(part) ?? part?.querySelector<HTMLElement>('button:enabled'))?.focus();
}
