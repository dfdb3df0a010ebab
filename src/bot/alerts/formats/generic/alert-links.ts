import { factNamed } from '../../labels.ts';
import type { MessageContent } from '../../message-content.ts';
import { type Link, linksOf } from '../../slack-text.ts';
import { objectOf } from './identity.ts';

const STATED = [
  'link to alarm',
  'link to event',
  'link',
  'url',
  'alert url',
  'details',
  'service',
  'host',
  'resource',
];
const OPENS = /\b(?:view|open|see|show|visit|details?|investigate|alert|incident|issue|problem|monitor)\b/iu;
const ELSEWHERE =
  /\b(?:silence|snooze|mute|runbook|playbook|acknowledge|resolve|settings|unsubscribe|site)\b/iu;

/** The links that may be the alert's own page, the likeliest first. A monitored URL in the text does not count. */
export function alertLinks(content: MessageContent, heads: readonly string[]): Link[] {
  const titles = content.attachments.flatMap(({ title_link }) =>
    title_link.startsWith('http') ? [{ url: title_link, label: null }] : [],
  );
  const stated = factNamed(
    content.facts.filter(({ url }) => url !== null),
    ...STATED,
  )?.url;
  const inHeads = heads.flatMap((head) => linksOf(head).filter(isPage));
  const buttons = content.buttons.filter(
    ({ label }) => OPENS.test(label ?? '') && !ELSEWHERE.test(label ?? ''),
  );
  return [
    ...titles,
    ...inHeads.filter(({ url }) => objectOf(url) !== null),
    ...(stated ? [] : inHeads),
    ...(stated ? [{ url: stated, label: null }] : []),
    ...buttons,
    ...content.attachments.flatMap(({ footer }) =>
      linksOf(footer).filter(({ label }) => OPENS.test(label ?? '')),
    ),
    ...alone(content.body),
    ...linksOf(content.body).filter(({ label }) => OPENS.test(label ?? '') && !ELSEWHERE.test(label ?? '')),
  ];
}

/** A URL that Slack turned into a link is the monitored one. */
function isPage({ url, label }: Link): boolean {
  return (
    label !== null && !ELSEWHERE.test(label) && !url.endsWith(`//${label}`) && !url.endsWith(`//${label}/`)
  );
}

/** Links on a line of their own, or in Markdown: `[View](<url>)`. */
function alone(body: string): Link[] {
  return body
    .split('\n')
    .flatMap((line) =>
      /^\s*(?:\[[^\]\n]{1,80}\]\()?<https?:[^<>\n]*>\)?\s*$/u.test(line) ? linksOf(line) : [],
    );
}
