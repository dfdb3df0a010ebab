import { z } from 'zod';

// Slack nests lists and quotes at most three levels deep.
const MAX_DEPTH = 6;

const Element = z.object({
  type: z.string().catch(''),
  text: z.string().catch(''),
  url: z.string().catch(''),
  name: z.string().catch(''),
  user_id: z.string().catch(''),
  range: z.string().catch(''),
  elements: z.array(z.unknown()).catch([]),
});

/** The elements of a `rich_text` block as mrkdwn: one line for each section and list item. */
export function richText(elements: readonly unknown[]): string {
  return elements
    .map((element) => render(element, 0))
    .join('\n')
    .trim();
}

function render(value: unknown, depth: number): string {
  const parsed = Element.safeParse(value);
  if (!parsed.success || depth > MAX_DEPTH) return '';
  const { type, text, url, name, user_id, range, elements } = parsed.data;
  const inside = () => elements.slice(0, 500).map((element) => render(element, depth + 1));
  switch (type) {
    case 'rich_text_list':
      return inside()
        .map((item) => `• ${item}`)
        .join('\n');
    case 'link':
      return text ? `<${url}|${text}>` : `<${url}>`;
    case 'emoji':
      return `:${name}:`;
    case 'user':
      return `<@${user_id}>`;
    case 'broadcast':
      return `<!${range}>`;
    default:
      return elements.length > 0 ? inside().join('') : text;
  }
}
