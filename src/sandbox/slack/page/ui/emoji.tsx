import { emojiOf } from '../model/emoji.ts';
import { pictureOf } from './emoji-pictures.tsx';

/**
 * The emoji of a shortcode (with or without its colons); one that is not known stands as `parsed`, where that found one,
 * else as it was written: `:51:` is a part of a time of day.
 */
export function Emoji({ name, parsed }: { name: string; parsed?: string }) {
  const bare = name.replaceAll(':', '');
  const picture = pictureOf(bare);
  const unicode = emojiOf(bare);
  if (picture !== null) {
    return (
      <svg className="emoji" viewBox="0 0 20 20" role="img">
        <title>{`:${bare}:`}</title>
        {picture}
      </svg>
    );
  }
  if (unicode === null)
    return <span className="emoji-name">{parsed && parsed !== bare ? parsed : `:${bare}:`}</span>;
  return (
    <span role="img" aria-label={bare}>
      {unicode}
    </span>
  );
}
