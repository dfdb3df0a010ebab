import { asPlainText } from '../../../../src/bot/render/plain.ts';
import { type Mentionable, unsafeSpots } from '../../../support/block-safety.ts';
import { allStrings } from '../../../support/block-strings.ts';
import type { Surface } from './renderer.ts';

/** What nobody reads, and what a person has typed and can change. */
const NOT_SHOWN =
  /\.(?:type|value|initial_value|private_metadata|action_id|block_id|callback_id|style|slack_file\.id|user_id|channel_id)$/u;
// Slack reads nothing in plain text, and a pattern or a prompt must stand there to be copied as it is.
const VERBATIM = /\.(?:section:text|elements\[\d+\])\.plain_text:text$/u;
const ADDRESS = /:\/\/|www\.|[\p{L}\p{N}-]\.[\p{L}]{2,}/iu;
const LINK = /<(https?:[^<>|]*)\|([^<>]*)>/giu;
const MARKDOWN_LINK = /\[((?:\\.|[^[\]\\])*)\]\((https?:[^\s)]*)\)/giu;

/**
 * What in a surface Slack or a reader could take for a mention, a command, or a link that leads elsewhere than it says
 *; empty for a safe one.
 */
export function unsafeIn(surface: Surface, may: Mentionable): string[] {
  if ('type' in surface) return allStrings(surface).flatMap((spot) => unsafeString(spot, may));
  return [surface.text, asPlainText(surface).text]
    .flatMap((text) => unsafeMrkdwn(text, may))
    .concat(allStrings([surface.blocks, surface.plainer ?? []]).flatMap((spot) => unsafeString(spot, may)));
}

function unsafeString([path, text]: [string, string], may: Mentionable): string[] {
  if (NOT_SHOWN.test(path) || VERBATIM.test(path)) return [];
  if (path.endsWith('mrkdwn:text')) return unsafeMrkdwn(text, may);
  if (path.endsWith('markdown:text')) {
    const spots = unsafeSpots({ text: 'a', blocks: [{ type: 'markdown', text }] });
    return [...spots, ...misleading(text.matchAll(MARKDOWN_LINK), 2, 1)];
  }
  if (/url$/u.test(path)) return isPlainAddress(text) ? [] : [`${path}: ${text}`];
  return /<[!@#]|<[a-z]+:/iu.test(text) ? [`${path}: ${text}`] : [];
}

function unsafeMrkdwn(text: string, may: Mentionable): string[] {
  return [...unsafeSpots({ text }, may), ...misleading(text.matchAll(LINK), 1, 2)];
}

/** Links whose label passes for an address that is not where they lead. */
function misleading(links: Iterable<RegExpMatchArray>, address: number, label: number): string[] {
  return [...links].flatMap((found) => {
    const [shown = '', to = ''] = [found[label], found[address]];
    const host = URL.parse(to.replaceAll('&amp;', '&'))?.host ?? '';
    return ADDRESS.test(shown) && !(host !== '' && shown.includes(host)) ? [found[0]] : [];
  });
}

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text);
  return /^https?:$/u.test(url?.protocol ?? '') && url?.username === '' && url.password === '';
}
