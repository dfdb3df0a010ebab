import { toErrorMessage } from './slack-text.ts';

const AWS =
  /^(?:us|eu|ap|sa|ca|me|af|il|mx|cn)-(?:gov-|iso-)?(?:north|south|east|west|central|northeast|northwest|southeast|southwest)-\d$/u;
const GOOGLE =
  /^(?:us|europe|asia|australia|northamerica|southamerica|me|africa)-(?:north|south|east|west|central|northeast|southeast|southwest)\d{1,2}$/u;
const AZURE =
  /^(?:(?:east|west|central|north|south|northcentral|southcentral|westcentral)us[23]?|(?:north|west)europe|uk(?:south|west)|(?:east|southeast)asia|(?:australia|japan|canada|france|germany|norway|switzerland|korea|brazil|sweden)(?:east|west|north|south|central|southeast|westcentral))$/u;

const HOST_WITH_PORT = /^(?=[\w.-]*[a-z\d])[\w.-]{1,253}:\d{2,5}$/iu;
const IP = /^(?:\d{1,3}\.){3}\d{1,3}$/u;
const FULL_NAME = /^(?:[a-z\d](?:[a-z\d-]{0,62})\.){2,8}[a-z]{2,20}$/iu;

/** Whether a word has the form of a cloud region (AWS, Google Cloud, Azure). */
export function isRegion(word: string): boolean {
  return AWS.test(word) || GOOGLE.test(word) || AZURE.test(word);
}

/** Whether a word without a label is a host: `db-1:9100`, an IPv4 address, a name with two or more dots. */
export function isHost(word: string): boolean {
  return HOST_WITH_PORT.test(word) || IP.test(word) || FULL_NAME.test(word);
}

/** The region in a URL: its `region=` parameter, or the first label of an AWS console's host. */
export function regionIn(url: string): string | null {
  const stated =
    /[?&#/]region=([a-z\d-]{4,30})/u.exec(url)?.[1] ??
    /^https:\/\/([a-z\d-]{4,30})\.console\.aws\./u.exec(url)?.[1];
  return stated !== undefined && isRegion(stated) ? stated : null;
}

const ADDRESS = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?$/u;
const DOMAIN = /^((?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}([a-z]{2,12}))(?::\d{1,5})?$/u;
/** Top-level domains that are not also common endings of files, classes or metrics. */
const ENDS = new Set(
  (
    'com net org io dev app co ai cloud example internal local localdomain lan intra intranet corp home test invalid arpa svc gov edu mil info biz ' +
    'shop store site online tech xyz gg tv eu de uk fr nl es pl ch at se no fi dk cz pt ie gr ro hu jp cn kr au nz ca us br mx ru ua il za sg hk tw in'
  ).split(' '),
);
/** A host after one of these is where traffic comes from, not where the problem is. */
const ELSEWHERE = new Set('from by source src client user via'.split(' '));

/** The first IP address or domain in a text, without its port; URLs do not count. */
export function hostIn(words: string): string | null {
  let before = '';
  for (const written of words.slice(0, 1_000).split(/[\s,;|"'`()[\]{}<>]+/u)) {
    const word = written.replace(/[.:!?]+$/u, '');
    const [, domain, end = ''] = DOMAIN.exec(word) ?? [];
    const found = ADDRESS.exec(word)?.[1] ?? (ENDS.has(end) ? domain : undefined);
    if (found !== undefined && found !== 'socket.io' && !ELSEWHERE.has(before)) return found;
    if (word !== '') before = word.toLowerCase();
  }
  return null;
}

/** The alphabet of Kubernetes' generated names: no vowels and no look-alikes. */
const GENERATED = /^[bcdfghjklmnpqrstvwxz2456789]{4,10}$/u;
const POD = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/u;

/** The time of a run behind its name: `daily-20261103020015`, `import-1793678415`. */
const OF_A_RUN =
  /(?<=[\p{L}\d])[-_.](?:20\d\d-?(?:0[1-9]|1[0-2])-?(?:[0-2]\d|3[01])(?:[-_.t]?\d{2}[-:]?\d{2}(?:[-:]?\d{2})?\d{0,3})?z?|1[6-9]\d{8}(?:\d{3})?)$/u;

/**
 * The workload of a pod: its name without the generated suffixes of the replica set and the pod
 * (`api-7d4b9c6f8d-xkzqp` and `api-7d9f` become `api`), or of a run: its name without its time. A stateful set's number stays.
 */
export function workloadOf(name: string): string {
  const pod = name.replace(OF_A_RUN, '');
  const parts = pod.split('-');
  const last = parts.at(-1) ?? '';
  const before = parts.at(-2) ?? '';
  // Behind a replica set's hash, five characters are a pod's, whatever they are.
  const isPod = isHash(before) && (before.length > 7 ? /^[a-z\d]{5}$/u : POD).test(last);
  if (parts.length > 2 && isPod) return parts.slice(0, -2).join('-');
  return parts.length > 1 && isHash(last) ? parts.slice(0, -1).join('-') : pod;
}

/** Replaces each pod name in a text with its workload. */
export function withoutPodHashes(text: string): string {
  return text.replace(/[a-z\d][a-z\d.-]{2,252}/gu, (word) => workloadOf(word));
}

// An ordinary word has no digit.
function isHash(part: string): boolean {
  return GENERATED.test(part) && /\d/u.test(part);
}

/** An error as programs print it. `TypeError: x is undefined` has both parts; a logged sentence has no type. */
export interface ErrorDetails {
  errorType: string | null;
  errorMessage: string | null;
}

/** The name of a class, with its namespaces: `TypeError`, `Net::ReadTimeout`, `java.net.SocketException`. */
const PATH = String.raw`(?:[A-Za-z_$][\w$]{0,60}(?:\.|::|\\)){0,8}[A-Za-z_$][\w$]{0,80}`;
const WHOLE = new RegExp(`^${PATH}$`, 'u');
const BEFORE_MESSAGE = new RegExp(
  String.raw`^(${PATH})(?: \([^()\n]{1,60}\))?(?::\s+| [-–—] |\n\s*)(\S[^]*)$`,
  'u',
);
const UNCAUGHT = /^(?:(?:uncaught|unhandled|fatal|new)(?: exception| error)?(?: \(in promise\))?:? )+/iu;
/** How the last part of such a name usually ends. */
const NAMED =
  /(?:Error|Exception|Fault|Failure|Rejection|Panic|Timeout|Interrupt|Overflow|Violation|Denied|NotFound|Invalid|Refused|Mismatch|Warning|Exit|Abort)$/u;
const LOUD = /^(?:SIG[A-Z]{3,6}|EXC_[A-Z_]{3,40}|ANR|OOM|E[A-Z]{5,20})$/u;

/** Whether a word is an error type (`TypeError`, `SIGKILL`), not an ordinary word. */
export function isErrorType(word: string): boolean {
  if (word.length > 300 || !WHOLE.test(word)) return false;
  const last = word.split(/\.|::|\\/u).at(-1) ?? '';
  if (LOUD.test(word) || NAMED.test(last)) return true;
  // `Stripe::CardDeclined` has a namespace, `OutOfMemory` is camel case.
  return /^[A-Z]/u.test(last) && (/::|\\/u.test(word) || /^(?:[A-Z][a-z\d]+){2,8}$/u.test(last));
}

/** The error type and message in a title or a line. */
export function errorIn(text: string): ErrorDetails {
  const line = text.trim();
  const known = line.replace(UNCAUGHT, '');
  if (isErrorType(known)) return { errorType: known, errorMessage: null };
  const [, name, rest] = BEFORE_MESSAGE.exec(known.slice(0, 4_000)) ?? [];
  if (name !== undefined && rest !== undefined && isErrorType(name))
    return { errorType: name, errorMessage: toErrorMessage(rest) };
  return { errorType: null, errorMessage: toErrorMessage(line) };
}

const AMONG =
  /(?<![\w.:$/\\-])((?:[A-Za-z_$][\w$]{0,60}(?:\.|::|\\)){0,8}[A-Z][\w$]{0,80}(?:Error|Exception|Rejection))(?: \([^()\n]{1,60}\))?(?:(?::\s{1,3}| [-–—] )(\S.{0,2000})|(?![\w.:$/\\-]))/u;

/** The first error named in a sentence: `Job failed with java.io.IOException: disk full`. */
export function errorInSentence(sentence: string): ErrorDetails {
  const [, name, message] = AMONG.exec(sentence.slice(0, 4_000)) ?? [];
  return name === undefined
    ? { errorType: null, errorMessage: null }
    : { errorType: name, errorMessage: toErrorMessage(message ?? null) };
}
