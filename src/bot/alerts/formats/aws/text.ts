import { addressesOf } from '../../addresses.ts';
import { alarmed } from '../../cloudwatch.ts';
import { regionIn } from '../../places.ts';
import type { Reading } from '../../reading.ts';
import { plain, withoutUrls } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../words.ts';

const SENTENCE =
  /^\W{0,4}The alarm (\S{1,255}|"[^"\n]{1,255}") changed state to (ALARM|OK|INSUFFICIENT[_ ]DATA)\b:?\s*([^\n]*)/mu;

/** `The alarm X changed state to ALARM: reason`, with the alarm's page and its description below. */
export function extractText(reading: Reading): Alert | null {
  const text = plain(reading.body);
  const found = SENTENCE.exec(text);
  const [, quoted, state, reason] = found ?? [];
  if (found === null || quoted === undefined || state === undefined) return null;

  const name = quoted.replace(/^"|"$/gu, '');
  const alertUrl = addressesOf(reading).find((url) => /alarm/u.test(url)) ?? null;
  const below = withoutUrls(text.slice(found.index + found[0].length)).trim();
  const alert = alarmed('aws', {
    name,
    state: state.replace(' ', '_'),
    account: null,
    region: regionIn(alertUrl ?? ''),
    reason: messageOf(reason ?? null),
    alertUrl,
  });
  return {
    ...alert,
    description: descriptionOf(reading.body, titleOf(name)),
    errorMessage: messageOf(below.split('\n\n', 1)[0] ?? '') ?? alert.errorMessage,
  };
}
