import { safeHref } from '../model/plain.ts';
import { EmojiText } from './emoji-text.tsx';
import type { ButtonElement } from './schema.ts';
import type { ElementProps } from './use.ts';

/** A button. One with an address opens it, and tells the app as well, as Slack does. */
export function Button({ element, isBusy, onUse }: ElementProps<ButtonElement>) {
  const { text, value, url, style, accessibility_label: label } = element;
  const onClick = () => {
    const href = safeHref(url);
    if (href !== null) window.open(href, '_blank', 'noreferrer,noopener');
    onUse(value === undefined ? {} : { value });
  };
  return (
    <button
      type="button"
      className={`button ${style === 'primary' || style === 'danger' ? style : ''}`}
      disabled={isBusy}
      aria-busy={isBusy}
      aria-label={label}
      onClick={onClick}
    >
      <EmojiText text={text.text} />
    </button>
  );
}
