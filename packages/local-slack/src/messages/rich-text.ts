import type { Block } from '../entities.ts';

type Inline = Record<string, unknown>;

const TOKEN = /<([^<>]+)>|:([a-z0-9_+'-]+):/g;

function literalText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** `@U1`, `#C1|name`, `!here`, `https://…|label`: the text between `<` and `>`. */
function reference(inner: string): Inline {
  const [target = '', label] = inner.split('|');
  if (target.startsWith('@')) return { type: 'user', user_id: target.slice(1) };
  if (target.startsWith('#')) return { type: 'channel', channel_id: target.slice(1) };
  if (target.startsWith('!')) return { type: 'broadcast', range: target.slice(1) };
  const url = literalText(target);
  return label === undefined ? { type: 'link', url } : { type: 'link', url, text: literalText(label) };
}

/** The `rich_text` block that Slack's clients send with what a person typed. */
export function richTextOf(text: string, blockId: string): Block {
  const elements: Inline[] = [];
  let from = 0;
  const literal = (until: number) => {
    if (until > from) elements.push({ type: 'text', text: literalText(text.slice(from, until)) });
  };
  for (const match of text.matchAll(TOKEN)) {
    literal(match.index);
    const [whole, inner, emoji] = match;
    elements.push(inner === undefined ? { type: 'emoji', name: emoji } : reference(inner));
    from = match.index + whole.length;
  }
  literal(text.length);
  return { type: 'rich_text', block_id: blockId, elements: [{ type: 'rich_text_section', elements }] };
}
