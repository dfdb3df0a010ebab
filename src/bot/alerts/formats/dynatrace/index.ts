import { blank } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { fromLabels } from '../../labels.ts';
import type { Reading } from '../../message-content.ts';
import { bare, linksOf, plain } from '../../slack-text.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert, AlertKind } from '../../types.ts';
import { descriptionOf, titleOf } from '../../text-fields.ts';

const PROBLEM =
  /^https:\/\/([^/]+)\/.*(?:#problems\/problemdetails;pid=|dynatrace\.davis\.problems\/problem\/)([\w-]{1,80})/u;
const STATE = /(?:^|[\s:[*(])(OPEN|RESOLVED|MERGED)(?![\w-])/u;
const KINDS: Readonly<Record<string, AlertKind>> = { OPEN: 'firing', RESOLVED: 'resolved' };

/** Dynatrace's problems, in an operator's own words around the state and the problem's link. */
export const dynatrace: Format = { name: 'dynatrace', tool: 'Dynatrace', extract };

/** A problem is known by its link; the state is the first of Dynatrace's own words. */
function extract(reading: Reading): Alert | null {
  const { person, body, attachments, buttons } = reading;
  if (person) return null;
  const links = [
    ...attachments.map((part) => part.title_link),
    ...linksOf(body).map(({ url }) => url),
    ...buttons.map(({ url }) => url),
  ];
  const page = links.find((url) => PROBLEM.test(url));
  const state = STATE.exec(plain(body))?.[1];
  const [, tenant, problem] = PROBLEM.exec(page ?? '') ?? [];
  if (page === undefined || state === undefined || tenant === undefined || problem === undefined) return null;

  const { fields } = fromLabels(reading.facts);
  const title = titleOf(headlineIn(body));
  return {
    ...blank('dynatrace'),
    ...fields,
    kind: KINDS[state] ?? 'not_an_alert',
    title,
    description: descriptionOf(body, title),
    // Its "severity" is what kind of problem it is: availability, error, performance.
    severity: null,
    triggeredAt: timeIn(plain(body)),
    alertUrl: page,
    fingerprint: fingerprintOf('dynatrace', tenant, problem),
  };
}

/** The first line that says more than the state. */
function headlineIn(body: string): string {
  const lines = body.split('\n', 50).map((line) =>
    bare(plain(line.replace(/<https?:[^<>|\n]*>/gu, '')))
      .replace(/^(?:Problem )?(?:State: ?)?\W*(?:OPEN|RESOLVED|MERGED)\b[\s:|\]-]*/u, '')
      .trim(),
  );
  return lines.find((line) => line !== '') ?? '';
}
