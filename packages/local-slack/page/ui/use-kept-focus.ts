import { useEffect } from 'react';
import { composerIn, messageIn } from './places.ts';

/** What has the focus, and where it is, so that its replacement can be found. */
interface Held {
  element: HTMLElement;
  name: string;
  ts: string | undefined;
  part: HTMLElement | null;
  /** `ts` of the thread that it was in. */
  thread: string | undefined;
}

/**
 * Focus is never lost: when its element goes (a message is deleted, a card is redrawn, a pane closes), it passes to
 * the replacement, else to the message, else to the composer beside it. An element that was only busy gets it back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let held: Held | null = null;
    let frame = 0;
    const restore = () => {
      if (held === null || !isNowhere() || isBusy(held.element)) return;
      successor(held)?.focus();
    };
    const observer = new MutationObserver(() => {
      if (held === null || !isNowhere()) return;
      cancelAnimationFrame(frame);
      // Whoever closed something decides first where the focus goes.
      frame = requestAnimationFrame(restore);
    });
    const onFocus = ({ target }: FocusEvent) => {
      held = target instanceof HTMLElement ? heldBy(target) : null;
    };
    // A click on the background removes the focus on purpose.
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && held?.element.contains(target) === false) held = null;
    };
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled', 'hidden', 'open'],
    });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress);
    };
  }, []);
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function isBusy(element: HTMLElement): boolean {
  return element.isConnected && element.matches(':disabled');
}

function heldBy(element: HTMLElement): Held {
  return {
    element,
    name: nameOf(element),
    ts: element.closest('article')?.dataset.ts,
    part: element.closest<HTMLElement>('nav.sidebar, main, aside'),
    thread: element.closest<HTMLElement>('[data-thread]')?.dataset.thread,
  };
}

function nameOf(element: HTMLElement): string {
  return element.getAttribute('aria-label') ?? element.textContent;
}

function successor({ element, name, ts, part, thread }: Held): HTMLElement | null {
  if (element.isConnected && element.checkVisibility()) return element;
  const main = document.querySelector('main');
  const message = messageIn(part?.isConnected ? part : main, ts);
  const controls = message?.querySelectorAll<HTMLElement>('button, select, input, a') ?? [];
  const same = [...controls].find((control) => nameOf(control) === name && !control.matches(':disabled'));
  const beside = part?.isConnected && part.checkVisibility() ? composerIn(part) : null;
  return same ?? message ?? beside ?? messageIn(main, thread) ?? composerIn(main);
}
