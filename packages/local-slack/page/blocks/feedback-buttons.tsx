import { Emoji } from '../ui/emoji.tsx';
import type { FeedbackButtonsElement } from './schema.ts';
import type { ElementProps } from './use.ts';

/** 👍 and 👎 under an answer. */
export function FeedbackButtons({ element, isBusy, onUse }: ElementProps<FeedbackButtonsElement>) {
  const { positive_button: good, negative_button: bad } = element;
  const thumb = ({ text, value }: typeof good, emoji: string) => (
    <button
      type="button"
      className="button icon"
      disabled={isBusy}
      aria-label={text.text}
      title={text.text}
      onClick={() => onUse({ value })}
    >
      <Emoji name={emoji} />
    </button>
  );
  return (
    <>
      {thumb(good, '+1')}
      {thumb(bad, '-1')}
    </>
  );
}
