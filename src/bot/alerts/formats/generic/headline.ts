import type { Fact } from '../../facts.ts';
import { statedValue } from '../../labels.ts';
import type { MessageContent } from '../../message-content.ts';
import { plainText, withoutMarkup } from '../../slack-text.ts';
import { bracketedState } from '../../state.ts';
import { toTitle } from '../../text-fields.ts';
import { withoutMarkers } from './state-markers.ts';

const NAMED = [
  'alarm name',
  'alert name',
  'alertname',
  'alert rule',
  'rule name',
  'rule',
  'monitor name',
  'check name',
  'policy',
  'alert title',
];
/** The same, if nothing has a title; `Alert: pool is full` is a sentence. */
const LABELLED = ['alert', 'alarm'];
/** The same, if no line says more. */
const CALLED = ['name', 'title', 'subject', 'event name', 'problem', 'summary'];
const ANNOUNCEMENT =
  /^(?:(?:new|an?) (?:alert|incident|issue|notification|alarm|event|problem)\b.{0,60}|additional info ?:?|(?:monitoring |system )?(?:alert|alarm|notification|event|incident)s?|(?:alert|alarm|status|monitoring|notification|update|message|incident)s? (?:update |message |report |raised |received )?(?:from|by|of) [\w.-]{2,40}|alert (?:update|summary|notification|triggered|resolved|firing|details))$/iu;
const PREFIX =
  /^(?:re-?triggered|triggered|resolved|recovered|critical|warning|problem|alarm|alert|firing|fired|error|ok|open|closed|new alert|acknowledged|updated problem)(?: in [\dhms ]{2,20})?(?:\s?[:|!]|\s[-–](?=\s))\s*/iu;
const MAIL = /^(?:subject|betreff|objet|asunto|re|fwd?|aw|wg)\s?:\s+/iu;
const LOUD =
  /^(?:OPEN|RESOLVED|RECOVERED|MERGED|Triggered|Resolved|FIRING|FIRED|TRIGGERED|CLOSED|ALARM|PROBLEM|DOWN)\s+/u;
const SUFFIX = /\s?(?::|-|–|—|is)\s?(?:fired|resolved|firing|activated|closed|recovered|triggered)\.?$/iu;
/** A line with a field does not say what happened. */
const FIELD =
  /^(?:started|resolved|opened|detected|time|date|monitor|host|region|cause|reason|status|severity|environment|service|since|link|url|view|length|duration)\b[^:]{0,20}:/iu;
/** A value that cannot be a name. */
const NO_NAME = /^(?:true|false|yes|no|\d+|firing|resolved|ok|critical|warning)$/iu;

/** The alert's name: from a field, otherwise an attachment's title, otherwise the first line that is not a stock phrase. */
export function headlineOf(
  content: MessageContent,
  heads: readonly string[],
  facts: readonly Fact[],
): string | null {
  const titles = content.attachments.map(({ title }) => title);
  const usable = facts.filter(({ value }) => !NO_NAME.test(value));
  const untitled = titles.every((title) => title === '');
  const named = statedValue(usable, ...NAMED, ...(untitled ? LABELLED : []));
  if (named) return toTitle(withoutState(withoutMarkup(named)));
  const lines = [...titles, ...heads]
    .map((line) => withoutState(withoutMarkup(plainText(line))))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const telling = lines.find((line) => !ANNOUNCEMENT.test(line) && !FIELD.test(line) && !/^\W*$/u.test(line));
  const plainly =
    lines[0] !== undefined && ANNOUNCEMENT.test(lines[0]) ? statedValue(usable, ...CALLED) : null;
  return toTitle(plainly ?? telling ?? lines[0] ?? '');
}

/** A title without a leading or trailing state. */
function withoutState(line: string): string {
  const name = bracketedState(line)?.name ?? line;
  const short = withoutMarkers(name.replace(MAIL, ''))
    .replace(PREFIX, '')
    .replace(LOUD, '')
    .replace(SUFFIX, '')
    .trim();
  return short === '' ? name : short;
}
