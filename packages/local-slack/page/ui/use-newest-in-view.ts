import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 80;
const MARGIN_PX = 10;

interface NewestInView {
  list: RefObject<HTMLDivElement | null>;
  /** Something arrived below the visible part. */
  isBehind: boolean;
  toNewest: () => void;
}

/**
 * Keeps the newest message of a scrolling list in view, unless the reader has scrolled away from it.
 *
 * @param ownCount how many of them the reader wrote; when it grows, the newest is shown, wherever the reader was
 */
export function useNewestInView(count: number, ownCount: number): NewestInView {
  const list = useRef<HTMLDivElement>(null);
  const isNear = useRef(true);
  const ownTop = useRef<number | null>(null);
  const isAtEnd = useRef(true);
  const seen = useRef(count);
  const seenOwn = useRef(ownCount);
  const [isBehind, setBehind] = useState(false);

  const scroll = useCallback((top: number) => {
    if (!list.current) return;
    list.current.scrollTop = top;
    ownTop.current = list.current.scrollTop;
    holdBrowser(list.current, true);
    isNear.current = true;
    isAtEnd.current = isEnd(list.current);
    setBehind(false);
  }, []);
  const toNewest = useCallback(() => {
    if (list.current) scroll(newestTop(list.current));
  }, [scroll]);

  useEffect(() => {
    const element = list.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const onScroll = () => {
      // Scroll events of the list's own scrolling arrive late: an image may have loaded since, and the reader has not left.
      if (element.scrollTop === ownTop.current) return;
      ownTop.current = null;
      isNear.current = element.scrollTop > newestTop(element) - NEAR_PX;
      isAtEnd.current = isEnd(element);
      holdBrowser(element, isNear.current);
      if (isNear.current) setBehind(false);
    };
    // Edits and pictures change heights without a new message.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current && isReadToTheEnd(element)) scroll(endOf(element));
      else if (isNear.current) scroll(Math.max(element.scrollTop, newestTop(element)));
    });
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroll]);

  useLayoutEffect(() => {
    const hasWritten = ownCount > seenOwn.current && count > seen.current;
    if (isNear.current || hasWritten) toNewest();
    else if (count > seen.current) setBehind(true);
    seen.current = count;
    seenOwn.current = ownCount;
  }, [count, ownCount, toNewest]);

  return { list, isBehind, toNewest };
}

/** While the list keeps the newest in view, the browser's scroll anchoring is off. */
function holdBrowser(list: HTMLElement, isHeld: boolean): void {
  list.style.overflowAnchor = isHeld ? 'none' : 'auto';
}

function endOf(list: HTMLElement): number {
  return list.scrollHeight - list.clientHeight;
}

function isEnd(list: HTMLElement): boolean {
  return list.scrollTop > endOf(list) - NEAR_PX;
}

/** A reader at the end of a streaming message, or past the start of the last one, stays at its end. */
function isReadToTheEnd(list: HTMLElement): boolean {
  const last = list.querySelector('article:last-of-type');
  return last?.matches('.growing') === true || list.scrollTop > newestTop(list);
}

/** The end of the list, or the start of its last message if that is taller than the view. */
function newestTop(list: HTMLElement): number {
  const end = endOf(list);
  const last = list.querySelector('article:last-of-type');
  if (!last) return end;
  const top = last.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  return Math.min(end, top - MARGIN_PX);
}
