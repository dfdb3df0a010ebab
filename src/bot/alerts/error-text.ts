import { toErrorMessage } from './text-fields.ts';

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
