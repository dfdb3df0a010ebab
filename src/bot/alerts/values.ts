import { consistentFacts, type Fact, normalizedName, wordsOfKey } from './facts.ts';
import { fingerprintOf } from './identity.ts';
import { identifiersIn, isStateWord, nameIn, namesIn, namesSomething, saysState } from './names.ts';
import { severityOf } from './state.ts';
import type { Basis, Value } from './types.ts';
import { ANNOUNCEMENT_MARKERS, NUMBERED, setOf } from './vocabulary.ts';
import { sentenceState, stateNamed } from './wording.ts';

/** What a value is, told from the value: {@link kindOf}. */
type ValueKind = 'nothing' | 'time' | 'duration' | 'measure' | 'state' | 'id' | 'url' | 'sentence' | 'name';

const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?`;
const TIME = new RegExp(
  String.raw`^(?:\d{4}[-./]\d{2}[-./]\d{2}|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}|\d{1,2}\.\d{1,2}\.\d{4}|${CLOCK}|(?:\p{L}{3,9}\.?,? )?(?:\p{L}{3,9}\.? \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?[ -]\p{L}{3,9}\.?)(?: ${CLOCK}(?: \p{Lu}{1,5})?)?,?[ -]\d{4})(?:$|[T ,].{0,60}$)`,
  'u',
);
const DURATION =
  /^(?:P(?=\w)(?:\d+[DW])?(?:T(?:\d+H)?(?:\d+M)?(?:[\d.]+S)?)?|~?(?:\d{1,12}(?:[.,]\d{1,6})? ?(?:ns|[uµ]s|ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)[ ,]{0,2}(?:and )?){1,6}(?:ago)?)$/iu;
/** A number, with a comparison, a unit or a limit. A number with two dots is a version or an address. */
const MEASURE =
  /^[-+~≈<>=≥≤ ]{0,4}[$€£¥]?(?!\d+\.\d+\.\d)\d[\d.,_]*(?:e[+-]?\d{1,3})?(?: ?\/ ?\d[\d.,]*| of \d[\d.,]*)? ?(?:[%‰°][a-z]?|[a-zµ]{1,8}(?:\/[a-z]{1,7})?)?$/iu;
/** Seconds to nanoseconds since 1970, of this century. */
const EPOCH = /^[12]\d{9}(?:\.\d{1,9}|\d{3}|\d{6}|\d{9})?$/u;
/** UUIDs, hashes and ULIDs, with nothing before them that names what they are of. */
const GENERATED =
  /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,128}|(?=\D*\d)[\da-hjkmnp-tv-z]{26})$/iu;
/** What is no value; people who are mentioned are none either. */
const NOTHING =
  /^(?:@[\w.-]{1,80}(?:[, ]{1,2}@[\w.-]{1,80}){0,9}|true|false|yes|no|null|none|nil|n\/?a|undefined|unknown|[-–—*?]+|\{|\[|\{\}|\[\])$/iu;

/** A longer value is a sentence. */
const MAX_NAME_WORDS = 6;

/** What a value is by its form: the first that fits. */
const FORMS: readonly (readonly [kind: ValueKind, isOne: (text: string) => boolean])[] = [
  ['nothing', (text) => !/[\p{L}\p{N}]/u.test(text) || NOTHING.test(text)],
  ['url', (text) => /^https?:\/\/\S+$/iu.test(text)],
  ['time', (text) => TIME.test(text) || EPOCH.test(text)],
  ['duration', (text) => DURATION.test(text)],
  ['measure', (text) => MEASURE.test(text)],
  ['id', isGenerated],
  ['state', (text) => isState(text) || (severityOf(text) !== null && !/\p{L}\W+\p{L}/u.test(text))],
  ['sentence', (text) => text.split(/\s+/u).length > MAX_NAME_WORDS || /[.!?]\s*$/u.test(text)],
];

export function kindOf(value: string): ValueKind {
  const text = value.trim();
  return FORMS.find(([, isOne]) => isOne(text))?.[0] ?? 'name';
}

function isGenerated(text: string): boolean {
  if (GENERATED.test(text)) return true;
  if (!/^(?=\D*\d)[\dA-Za-z]{8,64}={0,2}$/u.test(text)) return false;
  // In a random text digits, capitals and small letters alternate; in `AppServer01` they do not.
  const turns = text.match(/\p{Ll}(?=[\p{Lu}\d])|\p{Lu}(?=[\p{Ll}\d])|\d(?=\p{L})/gu) ?? [];
  return turns.length >= text.length / 2;
}

/** Whether every word of a short value is of a state: `ALERT_STATE_EVENT_END`, `alert.fired`, `UP -> DOWN`. */
function isState(text: string): boolean {
  if (/\p{Ll}(?:Error|Exception)$/u.test(text)) return false;
  const words = wordsOfKey(text.replace(/[:/>()[\]!]+/gu, ' ')).split(' ');
  return (
    words.length <= MAX_NAME_WORDS &&
    words.some((word) => isStateWord(word) || stateNamed(word) !== null) &&
    words.every(
      (word) =>
        isStateWord(word) || stateNamed(word) !== null || ABOUT.has(word) || ANNOUNCEMENT_MARKERS.has(word),
    )
  );
}

/** Words around a state. */
const ABOUT = setOf('beside a state');

/** Whether a title says more than a state, or what kind of message it is. */
export function tellsApart(title: string): boolean {
  return kindOf(title) !== 'state' && namesSomething(title);
}

/** Keys of what is said of an alert; however short it is, its words are of a state or a reason. */
const PROSE =
  /(?:^| )(?:description|details?|body|message|msg|text|reason|cause|output|summary|errors?|content|info|notes?|comment|response|result|log|traceback|impact)$/u;
/** Keys of the people who act on an alert. */
const PEOPLE =
  /(?:^| )(?:users?|authors?|assignees?|actors?|owners?|responders?|recipients?|contacts?|e ?mails?|\w+ (?:by|users))(?: |$)/u;
/** Keys of what it was before. */
const FORMER = /(?:^| )(?:previous|prior|old|former|last)(?: |$)/u;

/** Whether a key is of what was so before. */
export function isFormer(key: string): boolean {
  return FORMER.test(key);
}

/** Keys of a state, of a grade and of measurements, whatever the words of their values are. */
const CHANGING =
  /(?:^| )(?:status|state|severity|priority|level|urgency|health|values?|duration|colou?r|icon|emoji|counts?|revision|version|commit|silence)(?: |$)/u;
/** Keys of what happened, which may name its state: `incident.created`, `HealthCheckFailed`. */
const HAPPENING = /(?:^| )(?:type|event|action|phase|reason|condition|transition|kind)(?: id| name)?$/u;
const ID = /(?:^| )(?:id|uid|uuid|guid|key|number|no|nr)$/u;
/** Ids of one delivery, run or occurrence; another id behind a noun is of a rule or an object. */
const ONCE =
  /(?:^| )(?:event|message|notification|delivery|request|trace|span|run|execution|transaction|session|invocation|log|record|update|activity|comment|webhook|payload|result|occurrence|attempt|process|thread|container|correlation|resource|sync|build|scan|deployment)(?: \w+)?$/u;
/** An id that is of nothing in particular may be one of these too. */
const BARE = /^(?:id|uid|uuid|guid|key|number|no|nr)$/u;

/** What of these values identifies an alert, wherever it is and whatever its key is called. */
export function identifyingOf(values: readonly Value[]): Pick<Basis, 'by' | 'left'> {
  const by: Value[] = [];
  const left: Value[] = [];
  // A key with a state for one of its values has states for all.
  const states = new Set(values.flatMap(({ key, text }) => (kindOf(text) === 'state' ? key : [])));
  for (const value of values) {
    const { key, text } = value;
    const isOfState = states.has(key) || FORMER.test(key) || CHANGING.test(key);
    const identifying = isOfState ? [] : identifyingIn(key, text);
    if (identifying.length === 0) left.push(value);
    for (const one of identifying) by.push({ key, text: one });
  }
  return { by, left };
}

export function valuesOf(key: string, texts: readonly string[]): Value[] {
  return texts.map((text) => ({ key, text }));
}

/** The fingerprint of an alert that states no identity: its values wherever they are, each once, in order. */
export function fingerprintOfBasis({ of: [format = '', ...first], by }: Pick<Basis, 'of' | 'by'>): string {
  return fingerprintOf(format, ...first, ...[...new Set(by.map(({ text }) => text))].sort());
}

/** More is not stored with an alert. */
const MOST_VALUES = 100;
const LONGEST_TEXT = 200;

/** A basis as it is stored: its beginning, for showing and for the nearest alert. */
export function shownBasis({ source, of, by, left }: Basis): Basis {
  const few = (values: readonly Value[]) =>
    [...new Map(values.map((one) => [`${one.key} ${one.text}`, one])).values()]
      .filter(({ text }) => text.trim() !== '')
      .slice(0, MOST_VALUES)
      .map(({ key, text }) => ({ key, text: text.slice(0, LONGEST_TEXT) }));
  return { source, of, by: few(by), left: few(left) };
}

function identifyingIn(key: string, text: string): string[] {
  if (PEOPLE.test(key)) return ID.test(key) ? [] : identifiersIn(text).filter((name) => !/@.*\./u.test(name));
  if (ID.test(key) && ONCE.test(key)) return [];
  const measured = wordsOfKey(/^([\w.-]{2,60}) ?[=:] ?\S/u.exec(text)?.[1] ?? '');
  const kind = ID.test(key) && /\d.*\d/u.test(text) ? 'id' : kindOf(text);
  switch (kind) {
    case 'measure':
      return NUMBERED.has(lastWord(key)) ? [`${lastWord(key)} ${text.trim()}`] : [];
    case 'id':
      return ID.test(key) && !BARE.test(key) ? [text.trim().toLowerCase()] : [];
    case 'url':
      return placeIn(text);
    case 'sentence':
      return identifiersIn(text);
    case 'name':
      // A title behind its state: `Resolved: Queue depth of invoices`.
      if (isState(key)) return namesIn(text);
      // The value of a metric that is a state: `bgpPeerState = idle`.
      if (CHANGING.test(measured)) return [nameIn(measured)];
      if (HAPPENING.test(key) && (stateNamed(text) !== null || saysState(wordsOfKey(text)))) return [];
      return isProse(key, text) ? identifiersIn(text) : [nameIn(text)].filter((name) => name !== '');
    default:
      return [];
  }
}

/** What is called a name is one, whatever its words: `LimitName: Running instances`. */
const NAMED = /^(?!alert|event|message).*\w name$/u;

/** Whether a value tells of a state, in words that its recovery does not have. */
function isProse(key: string, text: string): boolean {
  return (
    !NAMED.test(key) &&
    (PROSE.test(key) ||
      saysState(lastWord(key)) ||
      (/\s/u.test(text) && (saysState(text) || sentenceState(text) !== null)))
  );
}

function lastWord(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1);
}

/** The host and the path of an address, without what is generated in it. */
function placeIn(url: string): string[] {
  const [, host = '', path = ''] = /^https?:\/\/([^/?#]+)([^?#]*)/iu.exec(url.trim()) ?? [];
  const parts = path.split('/').filter((part) => kindOf(part) === 'name' && !/\d.*\d/u.test(part));
  return [[host, ...parts].join('/').toLowerCase()];
}

/**
 * The labels that say which object an alert is about, as `name=value`, in order: of several alerts in one message those that
 * all have.
 */
export function identifyingLabels(facts: readonly Fact[]): string[] {
  return consistentFacts(facts)
    .flatMap(({ name, value, url }) => {
      const key = normalizedName(name);
      const isText =
        url !== null || CHANGING.test(key) || isProse(key, value) || kindOf(value) === 'sentence';
      return isText ? [] : identifyingIn(key, value).map((one) => `${key}=${one}`);
    })
    .sort();
}

/** Whether a label stays the same while its alert fires and when it is over: it is no time, and no state of the alert. */
export function isLasting(name: string, value: string): boolean {
  const isState =
    /(?:^| )(?:state|status)$/u.test(normalizedName(name)) &&
    ['firing', 'resolved'].includes(stateNamed(value) ?? '');
  return !isState && kindOf(value) !== 'time';
}
