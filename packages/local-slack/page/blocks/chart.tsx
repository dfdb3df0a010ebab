import { useEffect, useRef } from 'react';
import type { Block } from 'slack-blocks-to-jsx';
import { Drawn } from './elements.tsx';

/** Between two labels, in the units of the drawing. */
const GAP = 6;
/** What an app puts before a label that must be seen. */
const MARK = '▲';

/** A chart whose labels below the axis do not overlap: as many as there is room for, and those that are marked. */
export function Chart({ block }: { block: Block }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    thinOut(current);
    // The library draws the chart again after it was a table.
    const observer = new MutationObserver(() => thinOut(current));
    observer.observe(current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={frame}>
      <Drawn block={block} />
    </div>
  );
}

function thinOut(frame: HTMLElement): void {
  const texts = [...frame.querySelectorAll<SVGTextElement>('svg[role="img"] > text[y]')];
  const labels = texts.filter((text) => text.getAttribute('y') === texts[0]?.getAttribute('y'));
  const kept: { from: number; to: number }[] = [];
  const isMarked = (label: SVGTextElement) => Number(label.textContent.startsWith(MARK));
  for (const label of labels.toSorted((a, b) => isMarked(b) - isMarked(a))) {
    const { x, width } = label.getBBox();
    const [from, to] = [x, x + width + GAP];
    const isFree = kept.every((other) => to <= other.from || from >= other.to);
    label.style.visibility = isFree ? 'visible' : 'hidden';
    if (isFree) kept.push({ from, to });
  }
}
