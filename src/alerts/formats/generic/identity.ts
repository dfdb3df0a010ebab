import { fingerprintOf } from '../../fingerprint.ts';
import type { Link } from '../../slack-text.ts';
import { bare } from '../../slack-text.ts';

const OBJECT =
  /\/(?:issues?|incidents?|alerts?|detail|details|problems?|triggers?|checks?|cloaked|pages|monitors?|dashboard)\/(?=[\w.-]*\d)[\w.-]{2,120}/u;
const PARAMETERS = /[?&;#](?:triggerid|eventid|alert|pid|incident|problem|check)=[\w.-]{1,120}/gu;

const STATES =
  /\b(?:re-?triggered|triggered|resolved|recovered|recovery|firing|fired|alarm|problem|acknowledge?ment|acknowledged|open|(?:re-?)?opened|closed|back to normal|still failing|failing|failed|failure|critical|warning|warn|ok|down|up|new|is|activated|ongoing|unknown|unstable|unhealthy|healthy|unreachable|state|notification|needs attention)\b/giu;
/** What tells of a state in more words than one, each way round. */
const PHRASES = new RegExp(
  [
    '\\b(?:status|state)\\b(?:: \\w{2,20}\\b)?',
    '\\b(?:changed )?from \\w{2,20} to \\w{2,20}\\b',
    '\\bmissed (?:its |a |the )?(?:last |next |scheduled )?(?:run|check-?in|heartbeat|schedule|beat)\\b',
    '\\b(?:returned|returns|returning|responded with|answered) (?:an? )?(?:http )?(?:error )?[45]\\d\\d\\b',
    '\\b(?:no(?= (?:heartbeat|check-?in|signal|response|answer|reply|ping)\\b)|not (?:responding|reachable|reporting))\\b',
    '\\b(?:received|responding|reporting|reachable|available|online|connected|running|passing) again\\b',
    '\\b(?:exceeds|exceeded|breaches|breached|back|below|above|over|under|within|detected|ended|returned|to normal)\\b',
    '\\b(?:is|are|has|have|been|still|now|again|started|keeps|came|went|no longer)\\b',
    // What was measured, or when: `(current: 93.2%)`, `(expected 200)`.
    '\\((?:expected|current|currently|was|now|limit|threshold|value|run|attempt|build)\\b[^()\\n]{0,60}\\)',
    '[[(](?:critical|high|medium|moderate|low|warning|warn|info|error|major|minor)[\\])]|\\b(?:spike|restored|health|red|green)\\b',
    '[[(]?\\b(?:sev[ -]?[0-5]|p[0-5])\\b[\\])]?',
  ].join('|'),
  'giu',
);
const LENGTHS = /\b(?:after|for|in) (?:(?:and )?\d+ ?[a-z]{1,8} ?){1,6}/giu;
/** How long it took, as a recovery adds it. */
const ASIDES = /\bit was (?:down|up)\b|\(alarm was [^)\n]{1,80}\)/giu;
const NUMBERS = /(?<![\w.-])#?\d[\d.,:]*(?:%|[a-z]{1,4})?(?![\w-])/giu;

/** What an alert's page is about, where its address names a thing of its own; else `null`. */
export function objectOf(url: string): string | null {
  const path = OBJECT.exec(url)?.[0] ?? '';
  const parameters = [...url.matchAll(PARAMETERS)].map(([text]) => text.slice(1)).sort();
  const host = /^https?:\/\/([^/]+)/u.exec(url)?.[1] ?? '';
  return path === '' && parameters.length === 0 ? null : [host, path, ...parameters].join(' ');
}

/** The thing that the alert's page is about; else its name without state, numbers and durations, and where it happens. */
export function identityOf(
  links: readonly Link[],
  title: string,
  host: string | null,
  service: string | null,
): string {
  const object = links.map(({ url }) => objectOf(url)).find((found) => found !== null);
  if (object) return fingerprintOf('generic', 'object', object);
  const name = bare(title)
    .replace(ASIDES, ' ')
    .replace(LENGTHS, ' ')
    .replace(PHRASES, ' ')
    .replace(STATES, ' ')
    .replace(NUMBERS, ' ');
  return fingerprintOf(
    'generic',
    'name',
    name
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? '',
    host ?? '',
    service ?? '',
  );
}
