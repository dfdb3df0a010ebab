import { fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import {
  alertPageUrl,
  attachmentDetails,
  isSentBy,
  type MessageContent,
  queryParameter,
} from '../message.ts';
import { plainText, toDescription, toTitle, withoutMarkup } from '../slack-text.ts';
import { colorState, firstIncidentKind, incidentKind } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const PAGE =
  /^https:\/\/console\.cloud\.google\.com\/monitoring\/alerting\/(?:incidents|alerts)\/([\w.-]{1,120})/u;
const SENDER = /^google cloud\b/iu;
const INCIDENT = /\bIncident #?(\d\.[a-z\d]{6,60})\b/iu;

/** Google Cloud Monitoring's incidents. The layout is of general knowledge; the address is the vendor's. */
export const gcp: Format = { name: 'gcp', tool: 'Google Cloud', extract };

/** An incident: `Incident #0.x is ongoing`, with its policy, condition and severity. */
function extract(content: MessageContent): Alert | null {
  const alertUrl = alertPageUrl(content, PAGE, SENDER);
  if (content.person || (alertUrl === null && !isSentBy(content, SENDER))) return null;

  const { attachments, facts, body } = content;
  const heads = [...attachments.flatMap(({ title, pretext, fallback }) => [title, pretext, fallback])].map(
    (head) => withoutMarkup(plainText(head)),
  );
  const id = PAGE.exec(alertUrl ?? '')?.[1] ?? heads.map((head) => INCIDENT.exec(head)?.[1]).find(Boolean);
  if (id === undefined) return null;

  const { fields } = fromLabels(facts);
  const title = toTitle(
    statedValue(facts, 'policy', 'policy name', 'alert policy') ??
      heads.find((head) => head !== '') ??
      withoutMarkup(plainText(body)).split('\n', 1)[0] ??
      '',
  );
  return {
    ...emptyAlert('gcp'),
    ...fields,
    kind: kindOf(content, heads),
    title,
    description: toDescription(attachments.map(attachmentDetails).join('\n') || body, title),
    triggeredAt: timestampIn(statedValue(facts, 'started', 'started at', 'start time', 'opened') ?? ''),
    alertUrl,
    fingerprint: fingerprintOf('gcp', queryParameter(alertUrl ?? '', 'project') ?? '', id),
  };
}

function kindOf({ facts, attachments, body }: MessageContent, heads: readonly string[]): AlertKind {
  const lines = [...heads, withoutMarkup(plainText(body)).split('\n', 1)[0] ?? ''];
  const said = lines.map(
    (line) => /\b(?:is|has been|now|incident|alert) (\w+)\W*$/iu.exec(line)?.[1] ?? null,
  );
  return (
    firstIncidentKind([statedValue(facts, 'state', 'status', 'incident state'), ...said]) ??
    lines.map((line) => incidentKind(line)).find((kind) => kind !== null) ??
    attachments.map(({ color }) => colorState(color)).find((state) => state !== null) ??
    'firing'
  );
}
