import { messageOf } from './text-fields.ts';

/** An error as programs print it: `TypeError: x is undefined` has both, a logged sentence has no type. */
export interface Thrown {
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
/** What the last part of such a name ends in, or how it is put together. */
const NAMED =
  /(?:Error|Exception|Fault|Failure|Rejection|Panic|Timeout|Interrupt|Overflow|Violation|Denied|NotFound|Invalid|Refused|Mismatch|Warning|Exit|Abort)$/u;
const LOUD = /^(?:SIG[A-Z]{3,6}|EXC_[A-Z_]{3,40}|ANR|OOM|E[A-Z]{5,20})$/u;

/** Whether a word is the name of an error, and no word of a sentence. */
export function isErrorName(word: string): boolean {
  if (word.length > 300 || !WHOLE.test(word)) return false;
  const last = word.split(/\.|::|\\/u).at(-1) ?? '';
  if (LOUD.test(word) || NAMED.test(last)) return true;
  // `Stripe::CardDeclined` has a namespace, `OutOfMemory` a hump.
  return /^[A-Z]/u.test(last) && (/::|\\/u.test(word) || /^(?:[A-Z][a-z\d]+){2,8}$/u.test(last));
}

/** What a title or a line says of an error. */
export function thrownIn(text: string): Thrown {
  const line = text.trim();
  const known = line.replace(UNCAUGHT, '');
  if (isErrorName(known)) return { errorType: known, errorMessage: null };
  const [, name, rest] = BEFORE_MESSAGE.exec(known.slice(0, 4_000)) ?? [];
  if (name !== undefined && rest !== undefined && isErrorName(name))
    return { errorType: name, errorMessage: messageOf(rest) };
  return { errorType: null, errorMessage: messageOf(line) };
}

const AMONG =
  /(?<![\w.:$/\\-])((?:[A-Za-z_$][\w$]{0,60}(?:\.|::|\\)){0,8}[A-Z][\w$]{0,80}(?:Error|Exception|Rejection))(?: \([^()\n]{1,60}\))?(?:(?::\s{1,3}| [-–—] )(\S.{0,2000})|(?![\w.:$/\\-]))/u;

/** The first error that a sentence names: `Job failed with java.io.IOException: disk full`. */
export function thrownAmong(sentence: string): Thrown {
  const [, name, message] = AMONG.exec(sentence.slice(0, 4_000)) ?? [];
  return name === undefined
    ? { errorType: null, errorMessage: null }
    : { errorType: name, errorMessage: messageOf(message ?? null) };
}
