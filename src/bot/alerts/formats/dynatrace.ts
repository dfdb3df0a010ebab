import { fromLabels } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import type { MessageContent } from '../message.ts';
import { linksOf, plainText, toDescription, toTitle, withoutMarkup } from '../slack-text.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const PROBLEM =
  /^https:\/\/([^/]+)\/.*(?:#problems\/problemdetails;pid=|dynatrace\.davis\.problems\/problem\/)([\w-]{1,80})/u;
const STATE = /(?:^|[\s:[*(])(OPEN|RESOLVED|MERGED)(?![\w-])/u;
const KINDS: Readonly<Record<string, AlertKind>> = { OPEN: 'firing', RESOLVED: 'resolved' };

/** Dynatrace's problems, in an operator's own words around the state and the problem's link. */
export const dynatrace: Format = { name: 'dynatrace', tool: 'Dynatrace', extract };

/** A problem is known by its link; the state is the first of Dynatrace's own words. */
function extract(content: MessageContent): Alert | null {
  const { person, body, attachments, buttons } = content;
  if (person) return null;
  const links = [
    ...attachments.map((part) => part.title_link),
    ...linksOf(body).map(({ url }) => url),
    ...buttons.map(({ url }) => url),
  ];
  const page = links.find((url) => PROBLEM.test(url));
  const state = STATE.exec(plainText(body))?.[1];
  const [, tenant, problem] = PROBLEM.exec(page ?? '') ?? [];
  if (page === undefined || state === undefined || tenant === undefined || problem === undefined) return null;

  const { fields } = fromLabels(content.facts);
  const title = toTitle(headlineIn(body));
  return {
    ...emptyAlert('dynatrace'),
    ...fields,
    kind: KINDS[state] ?? 'not_an_alert',
    title,
    description: toDescription(body, title),
    // Its "severity" is what kind of problem it is: availability, error, performance.
    severity: null,
    triggeredAt: timestampIn(plainText(body)),
    alertUrl: page,
    fingerprint: fingerprintOf('dynatrace', tenant, problem),
  };
}

/** The first line that says more than the state. */
function headlineIn(body: string): string {
  const lines = body.split('\n', 50).map((line) =>
    withoutMarkup(plainText(line.replace(/<https?:[^<>|\n]*>/gu, '')))
      .replace(/^(?:Problem )?(?:State: ?)?\W*(?:OPEN|RESOLVED|MERGED)\b[\s:|\]-]*/u, '')
      .trim(),
  );
  return lines.find((line) => line !== '') ?? '';
}
