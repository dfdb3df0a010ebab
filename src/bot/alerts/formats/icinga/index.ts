import { blank } from '../../empty-alert.ts';
import { fromCheck } from '../../nagios-family.ts';
import type { Fact } from '../../facts.ts';
import { fact } from '../../facts.ts';
import type { Format } from '../../format.ts';
import { factNamed, statedValue } from '../../labels.ts';
import { fieldFacts, type Reading } from '../../message-content.ts';
import { cutMrkdwn, linksOf, plain } from '../../slack-text.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf } from '../../text-fields.ts';

const WEB = /\/icingaweb2?\//u;
const LABEL = /\b(HOST|SERVICE|STATE|Additional Info|Info):+[ \t]*/gu;
const SENT =
  /\b(PROBLEM|RECOVERY|ACKNOWLEDGEMENT|DOWNTIMESTART|DOWNTIMEEND|DOWNTIMEREMOVED|FLAPPINGSTART|FLAPPINGEND|CUSTOM)\b/u;

/** Icinga 2, by its notification scripts for Slack. */
export const icinga: Format = { name: 'icinga', tool: 'Icinga', extract };

/** `HOST: … SERVICE: … STATE: …` in one line of text, or an attachment with the fields Info, Host and State. */
function extract(reading: Reading): Alert | null {
  if (reading.person || !isIcingas(reading)) return null;
  const facts = [...reading.attachments.flatMap(fieldFacts), ...inline(reading.body)];
  const host = factNamed(facts, 'host');
  const state = statedValue(facts, 'state');
  if (host === null || state === null) return null;

  const service = factNamed(facts, 'service');
  const info = factNamed(facts, 'additional info', 'info');
  const check = fromCheck('icinga', {
    host: host.value,
    service: service?.value ?? null,
    state,
    notification: SENT.exec(words(reading))?.[1] ?? null,
    output: messageOf(info?.value ?? null),
  });
  const links = [service?.url, info?.url, host.url, ...reading.attachments.map((part) => part.title_link)];
  return {
    ...blank('icinga'),
    ...check,
    description: descriptionOf(reading.body, check.title),
    triggeredAt: timeIn(plain(reading.body)),
    alertUrl: links.find((url) => url) ?? linksOf(reading.body)[0]?.url ?? null,
  };
}

function isIcingas({ names, body, attachments }: Reading): boolean {
  const links = [
    ...linksOf(body.slice(0, 4_000)).map(({ url }) => url),
    ...attachments.map((one) => one.title_link),
  ];
  return names.some((name) => /^icinga/iu.test(name)) || links.some((url) => WEB.test(url));
}

/** The labels of one line, each with what stands before the next. */
function inline(body: string): Fact[] {
  const text = cutMrkdwn(body, 8_000);
  const labels = [...text.matchAll(LABEL)];
  return labels.map((label, at) => {
    const end = labels[at + 1]?.index ?? text.length;
    return fact(label[1] ?? '', text.slice(label.index + label[0].length, end).trim());
  });
}

/** What is said outside the plugin's output, where the reason of sending may stand. */
function words({ message, attachments }: Reading): string {
  const heads = attachments.flatMap(({ pretext, title, text, fallback }) => [pretext, title, text, fallback]);
  const types = attachments.flatMap(fieldFacts).filter(({ name }) => /type/iu.test(name));
  const line = message.text.split(/Additional Info|\n/u, 1)[0] ?? '';
  return plain([...types.map(({ value }) => value), line, ...heads].join('\n')).slice(0, 4_000);
}
