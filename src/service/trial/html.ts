import { withoutHidden } from '../../lib/text.ts';

/** A link to a web page; of any other address the words alone. */
export function linked(address: string, words: string): string {
  const isWeb = URL.canParse(address) && /^https?:$/u.test(new URL(address).protocol);
  return isWeb ? `<a href="${esc(address)}" rel="noopener noreferrer" target="_blank">${esc(words)}</a>` : '';
}

/** Text that somebody else wrote, as text. */
export function esc(text: string): string {
  return withoutHidden(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
