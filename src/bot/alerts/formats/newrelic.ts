import { fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { alertPageUrl, attachmentDetails, isSentBy, type MessageContent } from '../message.ts';
import { plainText, toDescription, toTitle, withoutMarkup } from '../slack-text.ts';
import { firstIncidentKind } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';

const PAGE =
  /^https:\/\/[\w.-]*\bnewrelic\.com\/(?:accounts\/(\d+)\/)?[^\s?#]{0,200}?issues\/([\da-f]{8}-[\da-f-]{27})/iu;
const SENDER = /^new ?relic\b/iu;
const SAID = /\b(activated|closed|acknowledged|created|deactivated|opened|resolved)\b/iu;

/** New Relic's issues. The layout is of general knowledge; the address and the states are the vendor's. */
export const newrelic: Format = { name: 'newrelic', tool: 'New Relic', extract };

/** An issue: its title leads to it, its state is a field or a word of the text. */
function extract(content: MessageContent): Alert | null {
  const alertUrl = alertPageUrl(content, PAGE, SENDER);
  const [, account = '', id] = PAGE.exec(alertUrl ?? '') ?? [];
  if (content.person || (id === undefined && !isSentBy(content, SENDER))) return null;

  const { attachments, message, facts, body } = content;
  const lines = [...attachments.flatMap(({ title }) => [title]), message.text, ...body.split('\n')]
    .map((line) =>
      withoutMarkup(plainText(line)).replace(
        /^(?:issue )?(?:activated|closed|acknowledged|created)\b:? */iu,
        '',
      ),
    )
    .filter((line) => line !== '');
  const title = toTitle(lines[0] ?? '');
  const words = [
    ...attachments.flatMap(({ text, pretext, fallback }) => [text, pretext, fallback]),
    message.text,
  ];
  const kind = firstIncidentKind([
    statedValue(facts, 'state', 'status', 'issue state'),
    ...words.map((line) => SAID.exec(plainText(line).split('\n', 1)[0] ?? '')?.[1] ?? null),
  ]);
  if (id === undefined && kind === null) return null;

  const { fields } = fromLabels(facts);
  return {
    ...emptyAlert('newrelic'),
    ...fields,
    kind: kind ?? 'firing',
    title,
    description: toDescription(attachments.map(attachmentDetails).join('\n') || body, title),
    triggeredAt: timestampIn(
      statedValue(facts, 'activated at', 'opened at', 'created at', 'started at', 'time') ?? '',
    ),
    alertUrl,
    fingerprint: fingerprintOf('newrelic', account, id?.toLowerCase() ?? title ?? ''),
  };
}
