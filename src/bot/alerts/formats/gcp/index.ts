import { isSentBy, pageAbout, parameterOf } from '../../urls.ts';
import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { firstKind, incidentKind } from '../../incident-state.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { detailsOf, type Reading } from '../../message-content.ts';
import { bare, plain } from '../../slack-text.ts';
import { colorState } from '../../state.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { descriptionOf, titleOf } from '../../text-fields.ts';

const PAGE =
  /^https:\/\/console\.cloud\.google\.com\/monitoring\/alerting\/(?:incidents|alerts)\/([\w.-]{1,120})/u;
const SENDER = /^google cloud\b/iu;
const INCIDENT = /\bIncident #?(\d\.[a-z\d]{6,60})\b/iu;

/** Google Cloud Monitoring's incidents. The layout is of general knowledge; the address is the vendor's. */
export const gcp: Format = { name: 'gcp', tool: 'Google Cloud', extract };

/** An incident: `Incident #0.x is ongoing`, with its policy, condition and severity. */
function extract(reading: Reading): Alert | null {
  const alertUrl = pageAbout(reading, PAGE, SENDER);
  if (reading.person || (alertUrl === null && !isSentBy(reading, SENDER))) return null;

  const { attachments, facts, body } = reading;
  const heads = [...attachments.flatMap(({ title, pretext, fallback }) => [title, pretext, fallback])].map(
    (head) => bare(plain(head)),
  );
  const id = PAGE.exec(alertUrl ?? '')?.[1] ?? heads.map((head) => INCIDENT.exec(head)?.[1]).find(Boolean);
  if (id === undefined) return null;

  const { fields } = fromLabels(facts);
  const title = titleOf(
    statedValue(facts, 'policy', 'policy name', 'alert policy') ??
      heads.find((head) => head !== '') ??
      bare(plain(body)).split('\n', 1)[0] ??
      '',
  );
  return {
    ...blank('gcp'),
    ...fields,
    kind: kindOf(reading, heads),
    title,
    description: descriptionOf(attachments.map(detailsOf).join('\n') || body, title),
    triggeredAt: timeIn(statedValue(facts, 'started', 'started at', 'start time', 'opened') ?? ''),
    alertUrl,
    fingerprint: fingerprintOf('gcp', parameterOf(alertUrl ?? '', 'project') ?? '', id),
  };
}

function kindOf({ facts, attachments, body }: Reading, heads: readonly string[]): AlertKind {
  const lines = [...heads, bare(plain(body)).split('\n', 1)[0] ?? ''];
  const said = lines.map(
    (line) => /\b(?:is|has been|now|incident|alert) (\w+)\W*$/iu.exec(line)?.[1] ?? null,
  );
  return (
    firstKind([statedValue(facts, 'state', 'status', 'incident state'), ...said]) ??
    lines.map((line) => incidentKind(line)).find((kind) => kind !== null) ??
    attachments.map(({ color }) => colorState(color)).find((state) => state !== null) ??
    'firing'
  );
}
