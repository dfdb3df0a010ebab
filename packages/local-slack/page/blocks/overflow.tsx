import { useId, useRef } from 'react';
import { safeHref } from '../model/plain.ts';
import { EmojiText } from './emoji-text.tsx';
import type { Option, OverflowElement } from './schema.ts';
import { type ElementProps, optionUse } from './use.ts';

/** The `⋯` menu. */
export function Overflow({ element, isBusy, onUse }: ElementProps<OverflowElement>) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const choose = (option: Option) => {
    menu.current?.hidePopover();
    const href = safeHref(option.url);
    if (href !== null) window.open(href, '_blank', 'noreferrer,noopener');
    onUse({ selected_option: optionUse(option) });
  };
  return (
    <span className="overflow">
      <button
        type="button"
        className="button"
        disabled={isBusy}
        aria-haspopup="menu"
        aria-label="More options"
        popoverTarget={id}
      >
        ⋯
      </button>
      <div id={id} ref={menu} popover="auto" role="menu" className="overflow-menu">
        {element.options.map((option) => (
          <button
            key={`${option.value}${option.text.text}`}
            type="button"
            role="menuitem"
            onClick={() => choose(option)}
          >
            <EmojiText text={option.text.text} />
            {option.description !== undefined && <small>{option.description.text}</small>}
          </button>
        ))}
      </div>
    </span>
  );
}
