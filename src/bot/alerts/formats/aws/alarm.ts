import { addressesOf } from '../../addresses.ts';
import { alarmed } from '../../cloudwatch.ts';
import { factNamed, statedValue } from '../../labels.ts';
import { regionIn } from '../../places.ts';
import { attachmentText, fieldFacts, type Reading } from '../../reading.ts';
import { plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../words.ts';

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
