import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 80;
const MARGIN_PX = 10;

interface NewestInView {
  list: RefObject<HTMLDivElement | null>;
  /** Something arrived below what the reader sees. */
  isBehind: boolean;
  toNewest: () => void;
}

/** Keeps the newest message of a scrolling list in view, unless the reader has scrolled away from it. */
export function useNewestInView(count: number): NewestInView {
  const list = useRef<HTMLDivElement>(null);
  const isNear = useRef(true);
  const seen = useRef(count);
  const [isBehind, setBehind] = useState(false);

  const toNewest = useCallback(() => {
    if (list.current) list.current.scrollTop = newestTop(list.current);
    isNear.current = true;
    setBehind(false);
  }, []);

  useEffect(() => {
    const element = list.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const onScroll = () => {
      isNear.current = element.scrollTop > newestTop(element) - NEAR_PX;
      if (isNear.current) setBehind(false);
    };
    // Edits and pictures change heights without a new message.
    const observer = new ResizeObserver(() => {
      if (isNear.current) toNewest();
    });
    observer.observe(content);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [toNewest]);

  useLayoutEffect(() => {
    if (isNear.current) toNewest();
    else if (count > seen.current) setBehind(true);
    seen.current = count;
  }, [count, toNewest]);

  return { list, isBehind, toNewest };
}

/** The list's end, but the beginning of its last message where that is taller than the view: one reads from the top. */
function newestTop(list: HTMLElement): number {
  const end = list.scrollHeight - list.clientHeight;
  const last = list.querySelector('article:last-of-type');
  if (!last) return end;
  const top = last.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  return Math.min(end, top - MARGIN_PX);
}
