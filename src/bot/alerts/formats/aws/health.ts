import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { factNamed, statedValue } from '../../labels.ts';
import { regionIn } from '../../hosts-and-regions.ts';
import { attachmentText, fieldFacts, type Reading } from '../../message-content.ts';
import { plain } from '../../slack-text.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const HEADING = /^New AWS Health Event\b/iu;

/** An event of AWS Health: open while its end is `<unknown>`, or still to come. */
export function extractHealth(reading: Reading): Alert | null {
  const part = reading.attachments.find((one) => HEADING.test(plain(one.text || one.title || one.fallback)));
  if (part === undefined) return null;
  const facts = fieldFacts(part);
  const title = titleOf(plain(part.text || part.title || part.fallback));
  const link = factNamed(facts, 'link to event')?.url ?? null;
  const code = statedValue(facts, 'code');
  const region = statedValue(facts, 'affected region', 'region') ?? regionIn(link ?? '');
  const resources = statedValue(facts, 'affected resources') ?? '';
  const end = timeIn(statedValue(facts, 'end time') ?? '');
  const over =
    end !== null && Date.parse(end) <= (Number(reading.message.ts) || Number.POSITIVE_INFINITY) * 1000;
  return {
    ...blank('aws'),
    kind: over ? 'resolved' : 'firing',
    title,
    description: descriptionOf(attachmentText({ ...part, title: '', text: '' }), title),
    service: statedValue(facts, 'affected service'),
    triggeredAt: timeIn(statedValue(facts, 'start time') ?? ''),
    alertUrl: link,
    host: /^[^\s,<>]{1,253}$/u.test(resources) ? resources : null,
    region,
    errorType: code,
    errorMessage: messageOf(statedValue(facts, 'event description')),
    fingerprint: fingerprintOf('aws', 'health', region ?? '', code ?? title ?? '', resources),
  };
}
