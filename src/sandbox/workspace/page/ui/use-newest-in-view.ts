import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 80;

interface NewestInView {
  list: RefObject<HTMLDivElement | null>;
  /** Something arrived below what the reader sees. */
  isBehind: boolean;
  toNewest: () => void;
}

/** Keeps a scrolling list at its end, unless the reader has scrolled away from it. */
export function useNewestInView(count: number): NewestInView {
  const list = useRef<HTMLDivElement>(null);
  const isNear = useRef(true);
  const seen = useRef(count);
  const [isBehind, setBehind] = useState(false);

  const toNewest = useCallback(() => {
    const element = list.current;
    if (element) element.scrollTop = element.scrollHeight;
    setBehind(false);
  }, []);

  useEffect(() => {
    const element = list.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const onScroll = () => {
      isNear.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
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
