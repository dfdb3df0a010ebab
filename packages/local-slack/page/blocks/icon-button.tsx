import { Emoji } from '../ui/emoji.tsx';
import type { IconButtonElement } from './schema.ts';
import type { ElementProps } from './use.ts';

/** A small button with a picture; Slack's only icon so far is `trash`. */
export function IconButton({ element, isBusy, onUse }: ElementProps<IconButtonElement>) {
  const { icon, text, value } = element;
  return (
    <button
      type="button"
      className="button icon"
      disabled={isBusy}
      aria-label={text.text}
      title={text.text}
      onClick={() => onUse(value === undefined ? {} : { value })}
    >
      {icon === 'trash' ? <Emoji name="wastebasket" /> : text.text}
    </button>
  );
}
