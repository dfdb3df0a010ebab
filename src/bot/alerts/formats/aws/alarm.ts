import { addressesOf } from '../../urls.ts';
import { alarmed } from '../../cloudwatch-alarm.ts';
import { factNamed, statedValue } from '../../labels.ts';
import { regionIn } from '../../hosts-and-regions.ts';
import { attachmentText, fieldFacts, type Reading } from '../../message-content.ts';
import { plain, withoutUrls } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const STATE = /^(?:ALARM|OK|INSUFFICIENT[_ ]DATA)$/iu;
const HEADING = /^AWS CloudWatch (?:notification|Alarm)\b/iu;

/** A card about an alarm: `Current State` of terraform-aws-notify-slack, `State Change` of aws-to-slack. */
export function extractAlarm(reading: Reading): Alert | null {
  for (const part of reading.attachments) {
    const facts = fieldFacts(part);
    const change = statedValue(facts, 'state change');
    const state =
      statedValue(facts, 'current state', 'new state') ??
      change
        ?.split(/→|->|=>/u)
        .at(-1)
        ?.trim();
    const heading = plain(part.text).split('\n', 1)[0] ?? '';
    const announced = [heading, part.author_name, plain(part.title)].some((words) => HEADING.test(words));
    const named = statedValue(facts, 'alarm name') ?? / notification - (.{1,255})$/u.exec(heading)?.[1];
    const name = named ?? (change === undefined ? '' : plain(part.title).trim());
    if (!state || !STATE.test(state) || !name || !(announced || named || isAlarms(part.title_link))) continue;

    const link = factNamed(facts, 'link to alarm')?.url ?? addressesOf(reading).find(isAlarms) ?? null;
    const reason =
      statedValue(facts, 'alarm reason', 'reason') ?? (HEADING.test(heading) ? null : plain(part.text));
    const alert = alarmed('aws', {
      name,
      state: state.replace(' ', '_'),
      account:
        statedValue(facts, 'account', 'account id') ?? /\((\d{12})\)/u.exec(part.author_name)?.[1] ?? null,
      region: statedValue(facts, 'region') ?? regionIn(link ?? ''),
      reason: messageOf(reason),
      alertUrl: link,
    });
    const own = attachmentText({
      ...part,
      title: '',
      text: HEADING.test(heading) ? '' : part.text,
      footer: '',
    });
    return { ...alert, description: descriptionOf(own, titleOf(name)) };
  }
  return null;
}

function isAlarms(url: string): boolean {
  return /\/cloudwatch\/.*[#:]alarm/u.test(url);
}

const SUBJECT = /^\s*(ALARM|OK|INSUFFICIENT_DATA): "([^"\n]{1,255})" in ([^\n]{2,60})$/u;

/** CloudWatch's mail, forwarded as it is: the subject is `ALARM: "name" in EU (Ireland)`. */
export function extractSubject({ attachments, message }: Reading): Alert | null {
  for (const part of [...attachments, { title: message.text, text: '', fields: [] }]) {
    const [, state, name, region] = SUBJECT.exec(plain(part.title)) ?? [];
    if (state === undefined || name === undefined || region === undefined) continue;
    const words = part.fields.map(({ value }) => value).find((value) => value !== '') ?? '';
    const reason = plain(words).trim() || null;
    const alert = alarmed('aws', {
      name,
      state,
      account: null,
      region: region.trim(),
      reason,
      alertUrl: null,
    });
    return { ...alert, description: descriptionOf(words, titleOf(name)) };
  }
  return null;
}

const SENTENCE =
  /^\W{0,4}The alarm (\S{1,255}|"[^"\n]{1,255}") changed state to (ALARM|OK|INSUFFICIENT[_ ]DATA)\b:?\s*([^\n]*)/mu;

/** `The alarm X changed state to ALARM: reason`, with the alarm's page and its description below. */
export function extractText(reading: Reading): Alert | null {
  const text = plain(reading.body);
  const found = SENTENCE.exec(text);
  const [, quoted, state, reason] = found ?? [];
  if (found === null || quoted === undefined || state === undefined) return null;

  const name = quoted.replace(/^"|"$/gu, '');
  const alertUrl = addressesOf(reading).find((url) => /alarm/u.test(url)) ?? null;
  const below = withoutUrls(text.slice(found.index + found[0].length)).trim();
  const alert = alarmed('aws', {
    name,
    state: state.replace(' ', '_'),
    account: null,
    region: regionIn(alertUrl ?? ''),
    reason: messageOf(reason ?? null),
    alertUrl,
  });
  return {
    ...alert,
    description: descriptionOf(reading.body, titleOf(name)),
    errorMessage: messageOf(below.split('\n\n', 1)[0] ?? '') ?? alert.errorMessage,
  };
}
