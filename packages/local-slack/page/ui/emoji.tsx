import { emojiFile, emojiOf } from '../../src/page-emoji.ts';

/**
 * The emoji of a shortcode, with or without its colons, as a picture: not every machine has an emoji font. An unknown one
 * stays as `parsed`, if given, otherwise as it was written: `:51:` is part of a time of day.
 */
export function Emoji({ name, parsed }: { name: string; parsed?: string }) {
  const bare = name.replaceAll(':', '');
  const emoji = emojiOf(bare);
  if (emoji === null)
    return <span className="emoji-name">{parsed && parsed !== bare ? parsed : `:${bare}:`}</span>;
  return <img className="emoji" src={`/${emojiFile(emoji)}`} alt={`:${bare}:`} title={`:${bare}:`} />;
}
