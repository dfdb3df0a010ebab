import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { regionIn } from '../../hosts-and-regions.ts';
import { factNamed, fromLabels, statedValue } from '../../labels.ts';
import { attachmentText, fieldFacts, type MessageContent } from '../../message-content.ts';
import { plainText } from '../../slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import { timestampIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { queryParameter } from '../../urls.ts';

const HEADING = /^AWS (GuardDuty|Security Hub) Finding - (.{1,500})$/isu;

/** A finding of GuardDuty, or of Security Hub, whose compliance tells when it is over. */
export function extractFinding(content: MessageContent): Alert | null {
  for (const part of content.attachments) {
    const [, product, name] = HEADING.exec(plainText(part.text).trim()) ?? [];
    if (product === undefined || name === undefined) continue;
    const facts = fieldFacts(part);
    const page = factNamed(facts, 'link to finding', 'finding url');
    const alertUrl = page?.url ?? (page?.value.startsWith('https:') ? page.value : null);
    const { fields } = fromLabels(facts);
    const account = statedValue(facts, 'account id') ?? '';
    const subject =
      searched(alertUrl ?? '') ?? [name, statedValue(facts, 'affected resource') ?? ''].join(' ');
    return {
      ...emptyAlert('aws'),
      ...fields,
      kind: statedValue(facts, 'compliance status')?.toUpperCase() === 'PASSED' ? 'resolved' : 'firing',
      title: toTitle(name),
      description: toDescription(attachmentText({ ...part, title: '', text: '' }), toTitle(name)),
      triggeredAt: timestampIn(statedValue(facts, 'first seen', 'first observed') ?? ''),
      alertUrl,
      region: fields.region ?? regionIn(alertUrl ?? ''),
      errorType: statedValue(facts, 'finding type', 'control id'),
      errorMessage: toErrorMessage(statedValue(facts, 'description')),
      fingerprint: fingerprintOf('aws', product.toLowerCase(), account, subject),
    };
  }
  return null;
}

/** The finding that a console's address searches for: `…#/findings?search=id%3Dabc`. */
function searched(url: string): string | null {
  const [, query] = /#\/findings(\?[^#]*)/u.exec(url) ?? [];
  return query === undefined ? null : queryParameter(`https://console.invalid/${query}`, 'search');
}
