import { fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { alertPageUrl, attachmentDetails, isSentBy, type MessageContent } from '../message.ts';
import { linksOf, plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { colorState, firstIncidentKind } from '../state.ts';
import { type Alert, emptyAlert } from '../types.ts';

const PAGE =
  /^https:\/\/ui(?:\.eu1)?\.honeycomb\.io\/[\w-]{1,80}\/(?:environments\/([\w%.-]{1,120})\/)?(?:datasets\/([\w%.-]{1,200})\/)?(?:triggers|slos?|burn_alerts)\/([\w-]{2,80})/u;
const SENDER = /^honeycomb\b/iu;
const TITLE = /^(Triggered|Resolved|OK|Recovered|Acknowledged)(?:: ?| - | )(.+)$/isu;

/** Honeycomb's triggers and burn alerts. The layout is of general knowledge; the address is the vendor's. */
export const honeycomb: Format = { name: 'honeycomb', tool: 'Honeycomb', extract };

/** `Triggered: Name`; team, environment, dataset and trigger are in the address. */
function extract(content: MessageContent): Alert | null {
  const alertUrl = alertPageUrl(content, PAGE, SENDER);
  const [, environment, dataset, id] = PAGE.exec(alertUrl ?? '') ?? [];
  if (content.person || (id === undefined && !isSentBy(content, SENDER))) return null;

  const { attachments, facts, message, body } = content;
  const labels = linksOf(body).filter(({ url }) => PAGE.test(url));
  const heads = [
    ...attachments.map(({ title }) => title),
    ...labels.map(({ label }) => label ?? ''),
    message.text,
    ...body.split('\n'),
  ]
    .map((head) => withoutMarkup(plainText(head)))
    .filter((head) => head !== '');
  const [, word, name] = heads.map((head) => TITLE.exec(head)).find((match) => match !== null) ?? [];
  if (id === undefined && name === undefined) return null;

  const title = toTitle(name ?? heads[0] ?? '');
  const text = attachments.map((part) => part.text).find((words) => words.trim() !== '') ?? '';
  const { fields } = fromLabels(facts);
  return {
    ...emptyAlert('honeycomb'),
    ...fields,
    kind:
      firstIncidentKind([word ?? null, statedValue(facts, 'status', 'state')]) ??
      attachments.map(({ color }) => colorState(color)).find((state) => state !== null) ??
      'firing',
    title,
    description: toDescription(attachments.map(attachmentDetails).join('\n'), title),
    environment: decoded(environment) ?? fields.environment,
    service: decoded(dataset) ?? fields.service,
    alertUrl,
    errorMessage: toErrorMessage(plainText(text)),
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
