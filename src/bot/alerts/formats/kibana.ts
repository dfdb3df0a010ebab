import { factsOf, fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import type { MessageContent } from '../message.ts';
import { linksOf, plainText, toDescription, toErrorMessage, toTitle } from '../slack-text.ts';
import { type Alert, emptyAlert } from '../types.ts';

// Only blanks before and after: a class that takes line ends too would try every one of them from every other.
const SENTENCE = /^[ \t]*(\S.{0,300}?) (is active with the following conditions:|has recovered\.?)[ \t]*$/mu;
const PAGE = /\/app\/[\w/-]*alerts/u;
/** Of the conditions, what an alert is about: not what was measured. */
const SUBJECT = [
  'affected',
  'group',
  'transaction type',
  'transaction name',
  'error key',
  'error grouping key',
  'error grouping name',
];

/** Kibana's rules, with their default message. */
export const kibana: Format = { name: 'kibana', tool: 'Kibana', extract };

/** What was measured, then `… is active with the following conditions:` and a list of them. */
function extract({ person, names, body }: MessageContent): Alert | null {
  if (person) return null;
  const text = plainText(body);
  const found = SENTENCE.exec(text);
  const [, rule, words] = found ?? [];
  if (found === null || rule === undefined || words === undefined) return null;
  const page = linksOf(body).find(({ url }) => PAGE.test(url))?.url ?? null;
  const active = words.startsWith('is active');
  if (page === null && !names.some((name) => /^(?:kibana|elastic)/iu.test(name))) return null;

  const facts = factsOf(body);
  const { fields } = fromLabels(facts);
  const title = toTitle(rule);
  const subject = SUBJECT.map((name) => statedValue(facts, name) ?? '');
  return {
    ...emptyAlert('kibana'),
    ...fields,
    kind: active ? 'firing' : 'resolved',
    title,
    description: toDescription(body.replace(/\[([^\]\n]{1,80})\]\(<([^<>\n]*)>\)/gu, '<$2|$1>'), title),
    alertUrl: page,
    errorMessage: toErrorMessage(text.slice(0, found.index)),
    fingerprint: fingerprintOf(
      'kibana',
      rule,
      fields.service ?? '',
      fields.environment ?? '',
      fields.host ?? '',
      ...subject,
    ),
  };
}
