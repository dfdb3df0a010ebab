import { parameterOf } from '../../urls.ts';
import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import { factNamed, fromLabels, statedValue } from '../../labels.ts';
import { regionIn } from '../../hosts-and-regions.ts';
import { attachmentText, fieldFacts, type Reading } from '../../message-content.ts';
import { plain } from '../../slack-text.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const HEADING = /^AWS (GuardDuty|Security Hub) Finding - (.{1,500})$/isu;

/** A finding of GuardDuty, or of Security Hub, whose compliance tells when it is over. */
export function extractFinding(reading: Reading): Alert | null {
  for (const part of reading.attachments) {
    const [, product, name] = HEADING.exec(plain(part.text).trim()) ?? [];
    if (product === undefined || name === undefined) continue;
    const facts = fieldFacts(part);
    const page = factNamed(facts, 'link to finding', 'finding url');
    const alertUrl = page?.url ?? (page?.value.startsWith('https:') ? page.value : null);
    const { fields } = fromLabels(facts);
    const account = statedValue(facts, 'account id') ?? '';
    const subject =
      searched(alertUrl ?? '') ?? [name, statedValue(facts, 'affected resource') ?? ''].join(' ');
    return {
      ...blank('aws'),
      ...fields,
      kind: statedValue(facts, 'compliance status')?.toUpperCase() === 'PASSED' ? 'resolved' : 'firing',
      title: titleOf(name),
      description: descriptionOf(attachmentText({ ...part, title: '', text: '' }), titleOf(name)),
      triggeredAt: timeIn(statedValue(facts, 'first seen', 'first observed') ?? ''),
      alertUrl,
      region: fields.region ?? regionIn(alertUrl ?? ''),
      errorType: statedValue(facts, 'finding type', 'control id'),
      errorMessage: messageOf(statedValue(facts, 'description')),
      fingerprint: fingerprintOf('aws', product.toLowerCase(), account, subject),
    };
  }
  return null;
}

/** The finding that a console's address searches for: `…#/findings?search=id%3Dabc`. */
function searched(url: string): string | null {
  const [, query] = /#\/findings(\?[^#]*)/u.exec(url) ?? [];
  return query === undefined ? null : parameterOf(`https://console.invalid/${query}`, 'search');
}
