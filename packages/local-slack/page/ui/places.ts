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
export function parts(): HTMLElement[] {
  const all = document.querySelectorAll<HTMLElement>('.page > :is(nav, main, aside)');
  return [...all].filter((part) => part.checkVisibility());
}

/** Focuses a part of the page: the open channel in the list of channels, else the composer. */
export function enter(part: HTMLElement | undefined): void {
  const open = part?.querySelector<HTMLElement>('.places [aria-current]');
  (open ?? composerIn(part) ?? part?.querySelector<HTMLElement>('button:enabled'))?.focus();
}
