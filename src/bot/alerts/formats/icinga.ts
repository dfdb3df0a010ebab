import { type Fact, factNamed, statedValue, toFact } from '../facts.ts';
import { alertFromCheck } from '../families.ts';
import type { Format } from '../format.ts';
import { fieldFacts, type MessageContent } from '../message.ts';
import { linksOf, plainText, toDescription, toErrorMessage, truncateMrkdwn } from '../slack-text.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';

const WEB = /\/icingaweb2?\//u;
const LABEL = /\b(HOST|SERVICE|STATE|Additional Info|Info):+[ \t]*/gu;
const SENT =
  /\b(PROBLEM|RECOVERY|ACKNOWLEDGEMENT|DOWNTIMESTART|DOWNTIMEEND|DOWNTIMEREMOVED|FLAPPINGSTART|FLAPPINGEND|CUSTOM)\b/u;

/** Icinga 2, by its notification scripts for Slack. */
export const icinga: Format = { name: 'icinga', tool: 'Icinga', extract };

/** `HOST: … SERVICE: … STATE: …` in one line of text, or an attachment with the fields Info, Host and State. */
function extract(content: MessageContent): Alert | null {
  if (content.person || !isIcingas(content)) return null;
  const facts = [...content.attachments.flatMap(fieldFacts), ...inline(content.body)];
  const host = factNamed(facts, 'host');
  const state = statedValue(facts, 'state');
  if (host === null || state === null) return null;

  const service = factNamed(facts, 'service');
  const info = factNamed(facts, 'additional info', 'info');
  const check = alertFromCheck('icinga', {
    host: host.value,
    service: service?.value ?? null,
    state,
    notification: SENT.exec(words(content))?.[1] ?? null,
    output: toErrorMessage(info?.value ?? null),
  });
  const links = [service?.url, info?.url, host.url, ...content.attachments.map((part) => part.title_link)];
  return {
    ...emptyAlert('icinga'),
    ...check,
    description: toDescription(content.body, check.title),
    triggeredAt: timestampIn(plainText(content.body)),
    alertUrl: links.find((url) => url) ?? linksOf(content.body)[0]?.url ?? null,
  };
}

function isIcingas({ names, body, attachments }: MessageContent): boolean {
  const links = [
    ...linksOf(body.slice(0, 4_000)).map(({ url }) => url),
    ...attachments.map((one) => one.title_link),
  ];
  return names.some((name) => /^icinga/iu.test(name)) || links.some((url) => WEB.test(url));
}

/** The labels of one line, each with what stands before the next. */
function inline(body: string): Fact[] {
  const text = truncateMrkdwn(body, 8_000);
  const labels = [...text.matchAll(LABEL)];
  return labels.map((label, at) => {
    const end = labels[at + 1]?.index ?? text.length;
    return toFact(label[1] ?? '', text.slice(label.index + label[0].length, end).trim());
  });
}

/** What is said outside the plugin's output, where the reason of sending may stand. */
function words({ message, attachments }: MessageContent): string {
  const heads = attachments.flatMap(({ pretext, title, text, fallback }) => [pretext, title, text, fallback]);
  const types = attachments.flatMap(fieldFacts).filter(({ name }) => /type/iu.test(name));
  const line = message.text.split(/Additional Info|\n/u, 1)[0] ?? '';
  return plainText([...types.map(({ value }) => value), line, ...heads].join('\n')).slice(0, 4_000);
}
