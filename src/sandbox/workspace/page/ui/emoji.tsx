import { emojiOf } from '../model/emoji.ts';

/** The emoji of a shortcode (with or without its colons); one that is not known stands as `parsed`, else `:name:`. */
export function Emoji({ name, parsed }: { name: string; parsed?: string }) {
  const bare = name.replaceAll(':', '');
  const unicode = emojiOf(bare);
  if (unicode === null) return <span className="emoji-name">{parsed ?? `:${bare}:`}</span>;
  return (
    <span className="emoji" role="img" aria-label={bare}>
      {unicode}
    </span>
  );
}
