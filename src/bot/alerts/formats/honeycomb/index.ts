import { isSentBy, pageAbout } from '../../urls.ts';
import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { firstKind } from '../../incident-state.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { detailsOf, type Reading } from '../../message-content.ts';
import { bare, linksOf, plain } from '../../slack-text.ts';
import { colorState } from '../../state.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const PAGE =
  /^https:\/\/ui(?:\.eu1)?\.honeycomb\.io\/[\w-]{1,80}\/(?:environments\/([\w%.-]{1,120})\/)?(?:datasets\/([\w%.-]{1,200})\/)?(?:triggers|slos?|burn_alerts)\/([\w-]{2,80})/u;
const SENDER = /^honeycomb\b/iu;
const TITLE = /^(Triggered|Resolved|OK|Recovered|Acknowledged)(?:: ?| - | )(.+)$/isu;

/** Honeycomb's triggers and burn alerts. The layout is of general knowledge; the address is the vendor's. */
export const honeycomb: Format = { name: 'honeycomb', tool: 'Honeycomb', extract };

/** `Triggered: Name`; team, environment, dataset and trigger are in the address. */
function extract(reading: Reading): Alert | null {
  const alertUrl = pageAbout(reading, PAGE, SENDER);
  const [, environment, dataset, id] = PAGE.exec(alertUrl ?? '') ?? [];
  if (reading.person || (id === undefined && !isSentBy(reading, SENDER))) return null;

  const { attachments, facts, message, body } = reading;
  const labels = linksOf(body).filter(({ url }) => PAGE.test(url));
  const heads = [
    ...attachments.map(({ title }) => title),
    ...labels.map(({ label }) => label ?? ''),
    message.text,
    ...body.split('\n'),
  ]
    .map((head) => bare(plain(head)))
    .filter((head) => head !== '');
  const [, word, name] = heads.map((head) => TITLE.exec(head)).find((match) => match !== null) ?? [];
  if (id === undefined && name === undefined) return null;

  const title = titleOf(name ?? heads[0] ?? '');
  const text = attachments.map((part) => part.text).find((words) => words.trim() !== '') ?? '';
  const { fields } = fromLabels(facts);
  return {
    ...blank('honeycomb'),
    ...fields,
    kind:
      firstKind([word ?? null, statedValue(facts, 'status', 'state')]) ??
      attachments.map(({ color }) => colorState(color)).find((state) => state !== null) ??
      'firing',
    title,
    description: descriptionOf(attachments.map(detailsOf).join('\n'), title),
    environment: decoded(environment) ?? fields.environment,
    service: decoded(dataset) ?? fields.service,
    alertUrl,
    errorMessage: messageOf(plain(text)),
    fingerprint: fingerprintOf('honeycomb', environment ?? '', dataset ?? '', id ?? title ?? ''),
  };
}

/** A part of a path; as it is where it is no valid encoding. */
function decoded(part: string | undefined): string | null {
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
