import { withShortcodes } from '../../src/page-emoji.ts';
import { each } from '../ui/each.ts';
import { Emoji } from '../ui/emoji.tsx';

/** Plain text of a label, whose `:shortcodes:` become emoji. */
export function EmojiText({ text }: { text: string }) {
  const parts = withShortcodes(text).split(/(:[a-z0-9_+'-]+:)/);
  return <span>{each(parts, (part, index) => (index % 2 === 1 ? <Emoji name={part} /> : part))}</span>;
}
