import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { regionIn } from '../../hosts-and-regions.ts';
import { factNamed, statedValue } from '../../labels.ts';
import { attachmentText, fieldFacts, type MessageContent } from '../../message-content.ts';
import { plainText } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import { timestampIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';

const HEADING = /^New AWS Health Event\b/iu;

/** An event of AWS Health: open while its end is `<unknown>`, or still to come. */
export function extractHealth(content: MessageContent): Alert | null {
  const part = content.attachments.find((one) =>
    HEADING.test(plainText(one.text || one.title || one.fallback)),
  );
  if (part === undefined) return null;
  const facts = fieldFacts(part);
  const title = toTitle(plainText(part.text || part.title || part.fallback));
  const link = factNamed(facts, 'link to event')?.url ?? null;
  const code = statedValue(facts, 'code');
  const region = statedValue(facts, 'affected region', 'region') ?? regionIn(link ?? '');
  const resources = statedValue(facts, 'affected resources') ?? '';
  const end = timestampIn(statedValue(facts, 'end time') ?? '');
  const over =
    end !== null && Date.parse(end) <= (Number(content.message.ts) || Number.POSITIVE_INFINITY) * 1000;
  return {
    ...emptyAlert('aws'),
    kind: over ? 'resolved' : 'firing',
    title,
    description: toDescription(attachmentText({ ...part, title: '', text: '' }), title),
    service: statedValue(facts, 'affected service'),
    triggeredAt: timestampIn(statedValue(facts, 'start time') ?? ''),
    alertUrl: link,
    host: /^[^\s,<>]{1,253}$/u.test(resources) ? resources : null,
    region,
    errorType: code,
    errorMessage: toErrorMessage(statedValue(facts, 'event description')),
    fingerprint: fingerprintOf('aws', 'health', region ?? '', code ?? title ?? '', resources),
  };
}
