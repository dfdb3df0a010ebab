const PERMALINK = /<?https?:\/\/[^\s<>|]*\/archives\/[A-Z0-9]+(?:\/p?\d*)?[^\s<>|]*(?:\|[^>]*)?>?/giu;
const MENTION = /<#[A-Z0-9]+(?:\|[^>]*)?>/giu;
const CHANNEL_ID = /(?<![A-Za-z0-9])[CG](?=[A-Z]*\d)[A-Z0-9]{8,20}(?![A-Za-z0-9])/gu;
const NAME = /(?<![\p{L}\p{N}#&/])#(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}_-]{1,80}/gu;
const ELSEWHERE = 'another channel';

/**
 * Untrusted text without what leads to a channel of Slack's: permalinks, mentions, ids, names; and without the phrases
 * that must not be said. `#12` stays, since it names an issue.
 */
export function withoutPlaces(text: string, withheld: readonly string[]): string {
  const placeless = text
    .replace(PERMALINK, ELSEWHERE)
    .replace(MENTION, ELSEWHERE)
    .replace(CHANNEL_ID, ELSEWHERE)
    .replace(NAME, ELSEWHERE);
  return withheld
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .reduce((rest, phrase) => without(rest, phrase), placeless);
}

function without(text: string, phrase: string): string {
  const lower = text.toLowerCase();
  const wanted = phrase.toLowerCase();
  // Lower case can be of another length (`İ`): then positions do not agree, and the phrase is looked for as it is.
  if (lower.length !== text.length || wanted.length !== phrase.length) {
    return text.replaceAll(phrase, 'the alert');
  }
  let out = '';
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    out += `${text.slice(from, at)}the alert`;
    from = at + wanted.length;
  }
  return out + text.slice(from);
}
