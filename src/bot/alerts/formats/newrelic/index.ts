import { isSentBy, pageAbout } from '../../urls.ts';
import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { firstKind } from '../../incident-state.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { detailsOf, type Reading } from '../../message-content.ts';
import { bare, plain } from '../../slack-text.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, titleOf } from '../../text-fields.ts';

const PAGE =
  /^https:\/\/[\w.-]*\bnewrelic\.com\/(?:accounts\/(\d+)\/)?[^\s?#]{0,200}?issues\/([\da-f]{8}-[\da-f-]{27})/iu;
const SENDER = /^new ?relic\b/iu;
const SAID = /\b(activated|closed|acknowledged|created|deactivated|opened|resolved)\b/iu;

/** New Relic's issues. The layout is of general knowledge; the address and the states are the vendor's. */
export const newrelic: Format = { name: 'newrelic', tool: 'New Relic', extract };

/** An issue: its title leads to it, its state is a field or a word of the text. */
function extract(reading: Reading): Alert | null {
  const alertUrl = pageAbout(reading, PAGE, SENDER);
  const [, account = '', id] = PAGE.exec(alertUrl ?? '') ?? [];
  if (reading.person || (id === undefined && !isSentBy(reading, SENDER))) return null;

  const { attachments, message, facts, body } = reading;
  const lines = [...attachments.flatMap(({ title }) => [title]), message.text, ...body.split('\n')]
    .map((line) =>
      bare(plain(line)).replace(/^(?:issue )?(?:activated|closed|acknowledged|created)\b:? */iu, ''),
    )
    .filter((line) => line !== '');
  const title = titleOf(lines[0] ?? '');
  const words = [
    ...attachments.flatMap(({ text, pretext, fallback }) => [text, pretext, fallback]),
    message.text,
  ];
  const kind = firstKind([
    statedValue(facts, 'state', 'status', 'issue state'),
    ...words.map((line) => SAID.exec(plain(line).split('\n', 1)[0] ?? '')?.[1] ?? null),
  ]);
  if (id === undefined && kind === null) return null;

  const { fields } = fromLabels(facts);
  return {
    ...blank('newrelic'),
    ...fields,
    kind: kind ?? 'firing',
    title,
    description: descriptionOf(attachments.map(detailsOf).join('\n') || body, title),
    triggeredAt: timeIn(
      statedValue(facts, 'activated at', 'opened at', 'created at', 'started at', 'time') ?? '',
    ),
    alertUrl,
    fingerprint: fingerprintOf('newrelic', account, id?.toLowerCase() ?? title ?? ''),
  };
}
