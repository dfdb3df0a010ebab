import { alertFromAlarm } from '../../cloudwatch-alarm.ts';
import { regionIn } from '../../hosts-and-regions.ts';
import { factNamed, statedValue } from '../../labels.ts';
import { attachmentText, fieldFacts, type MessageContent } from '../../message-content.ts';
import { plainText, withoutUrls } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import type { Alert } from '../../types.ts';
import { urlsOf } from '../../urls.ts';

const STATE = /^(?:ALARM|OK|INSUFFICIENT[_ ]DATA)$/iu;
const HEADING = /^AWS CloudWatch (?:notification|Alarm)\b/iu;

/** A card about an alarm: `Current State` of terraform-aws-notify-slack, `State Change` of aws-to-slack. */
export function extractAlarm(content: MessageContent): Alert | null {
  for (const part of content.attachments) {
    const facts = fieldFacts(part);
    const change = statedValue(facts, 'state change');
    const state =
      statedValue(facts, 'current state', 'new state') ??
      change
        ?.split(/→|->|=>/u)
        .at(-1)
        ?.trim();
    const heading = plainText(part.text).split('\n', 1)[0] ?? '';
    const announced = [heading, part.author_name, plainText(part.title)].some((words) => HEADING.test(words));
    const named = statedValue(facts, 'alarm name') ?? / notification - (.{1,255})$/u.exec(heading)?.[1];
    const name = named ?? (change === undefined ? '' : plainText(part.title).trim());
    if (!state || !STATE.test(state) || !name || !(announced || named || isAlarms(part.title_link))) continue;

    const link = factNamed(facts, 'link to alarm')?.url ?? urlsOf(content).find(isAlarms) ?? null;
    const reason =
      statedValue(facts, 'alarm reason', 'reason') ?? (HEADING.test(heading) ? null : plainText(part.text));
    const alert = alertFromAlarm('aws', {
      name,
      state: state.replace(' ', '_'),
      account:
        statedValue(facts, 'account', 'account id') ?? /\((\d{12})\)/u.exec(part.author_name)?.[1] ?? null,
      region: statedValue(facts, 'region') ?? regionIn(link ?? ''),
      reason: toErrorMessage(reason),
      alertUrl: link,
    });
    const own = attachmentText({
      ...part,
      title: '',
      text: HEADING.test(heading) ? '' : part.text,
      footer: '',
    });
    return { ...alert, description: toDescription(own, toTitle(name)) };
  }
  return null;
}

function isAlarms(url: string): boolean {
  return /\/cloudwatch\/.*[#:]alarm/u.test(url);
}

const SUBJECT = /^\s*(ALARM|OK|INSUFFICIENT_DATA): "([^"\n]{1,255})" in ([^\n]{2,60})$/u;

/** CloudWatch's mail, forwarded as it is: the subject is `ALARM: "name" in EU (Ireland)`. */
export function extractSubject({ attachments, message }: MessageContent): Alert | null {
  for (const part of [...attachments, { title: message.text, text: '', fields: [] }]) {
    const [, state, name, region] = SUBJECT.exec(plainText(part.title)) ?? [];
    if (state === undefined || name === undefined || region === undefined) continue;
    const words = part.fields.map(({ value }) => value).find((value) => value !== '') ?? '';
    const reason = plainText(words).trim() || null;
    const alert = alertFromAlarm('aws', {
      name,
      state,
      account: null,
      region: region.trim(),
      reason,
      alertUrl: null,
    });
    return { ...alert, description: toDescription(words, toTitle(name)) };
  }
  return null;
}

const SENTENCE =
  /^\W{0,4}The alarm (\S{1,255}|"[^"\n]{1,255}") changed state to (ALARM|OK|INSUFFICIENT[_ ]DATA)\b:?\s*([^\n]*)/mu;

/** `The alarm X changed state to ALARM: reason`, with the alarm's page and its description below. */
export function extractText(content: MessageContent): Alert | null {
  const text = plainText(content.body);
  const found = SENTENCE.exec(text);
  const [, quoted, state, reason] = found ?? [];
  if (found === null || quoted === undefined || state === undefined) return null;

  const name = quoted.replace(/^"|"$/gu, '');
  const alertUrl = urlsOf(content).find((url) => /alarm/u.test(url)) ?? null;
  const below = withoutUrls(text.slice(found.index + found[0].length)).trim();
  const alert = alertFromAlarm('aws', {
    name,
    state: state.replace(' ', '_'),
    account: null,
    region: regionIn(alertUrl ?? ''),
    reason: toErrorMessage(reason ?? null),
    alertUrl,
  });
  return {
    ...alert,
    description: toDescription(content.body, toTitle(name)),
    errorMessage: toErrorMessage(below.split('\n\n', 1)[0] ?? '') ?? alert.errorMessage,
  };
}
