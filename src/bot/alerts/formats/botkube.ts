import { workloadOf } from '../details.ts';
import { factsOf, normalizedName, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentText, blocksText, type MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';

const HEAD =
  /^((?:[a-z][\w.-]{0,100}\/)?v\d\w{0,10}\/[a-z]{2,60}) (created|updated|deleted|error|warning|info)$/u;

/** Botkube's events of Kubernetes objects. */
export const botkube: Format = { name: 'botkube', tool: 'Botkube', extract };

/** `v1/pods error`, then what object of which cluster. Only errors are alerts: the others tell of every change. */
function extract({ person, message, attachments }: MessageContent): Alert | null {
  if (person) return null;
  const text = [blocksText(message.blocks), ...attachments.map(attachmentText), message.text]
    .filter((words) => words !== '')
    .join('\n');
  const lines = text.split('\n', 3).map((line) => withoutMarkup(plainText(line)));
  const head = lines.find((line) => HEAD.test(line));
  const [, , event] = HEAD.exec(head ?? '') ?? [];
  const facts = factsOf(text);
  const kind = statedValue(facts, 'kind');
  const name = statedValue(facts, 'name');
  if (head === undefined || (kind ?? name ?? statedValue(facts, 'namespace', 'cluster')) === null)
    return null;
  const title = toTitle(head);
  if (event !== 'error') return { ...emptyAlert('botkube'), title };

  const reason = statedValue(facts, 'reason', 'type');
  const about = ['namespace', 'cluster'].map((name) => [name, statedValue(facts, name) ?? ''] as const);
  const object = normalizedName(kind ?? 'object');
  return {
    ...emptyAlert('botkube'),
    kind: 'firing',
    title,
    description: toDescription(text, title),
    triggeredAt: timestampIn(plainText(/<!date\^\d[^<>\n]*>/u.exec(text)?.[0] ?? '')),
    errorType: reason,
    errorMessage: toErrorMessage(messagesIn(text)),
    host: object === 'node' ? name : null,
    tags: [...about, [object, name ?? ''] as const]
      .filter(([, value]) => value !== '')
      .map((pair) => pair.join(':')),
    fingerprint: fingerprintOf(
      'botkube',
      object,
      ...about.map(([, value]) => value),
      workloadOf(name ?? ''),
      reason ?? '',
    ),
  };
}

/** What is below `Messages`, in a list or as code. */
function messagesIn(text: string): string {
  const [, below = ''] = /^\*Messages:?\*:?[ \t]*\n(.{1,4000})/msu.exec(text) ?? [];
  const end = below.search(/\n\*|\n<!date|\n\n/u);
  return plainText(end < 0 ? below : below.slice(0, end))
    .replace(/```/gu, '')
    .replace(/^\s*[•-]\s+/gmu, '')
    .trim();
}
