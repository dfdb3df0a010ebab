/** Slack's `text` without its markup: tokens become their labels, entities their characters. Never parsed again. */
export function plainText(text: string): string {
  return text
    .replaceAll(
      /<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>/g,
      (_whole, sign: string, target: string, label?: string) => {
        if (sign === '') return label || target;
        return sign === '!' ? `@${label || target}` : `${sign}${label || target}`;
      },
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The address if a link may lead to it (http, https, mailto), else `null`. */
export function safeHref(address: unknown): string | null {
  if (typeof address !== 'string') return null;
  const url = URL.parse(address);
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null;
}
