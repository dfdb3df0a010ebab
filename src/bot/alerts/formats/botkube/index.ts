import { blank } from '../../empty-alert.ts';
import { factsOf, nameOf } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { workloadOf } from '../../kubernetes.ts';
import { statedValue } from '../../labels.ts';
import { attachmentText, blocksText, type Reading } from '../../message-content.ts';
import { bare, plain } from '../../slack-text.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const HEAD =
  /^((?:[a-z][\w.-]{0,100}\/)?v\d\w{0,10}\/[a-z]{2,60}) (created|updated|deleted|error|warning|info)$/u;

/** Botkube's events of Kubernetes objects. */
export const botkube: Format = { name: 'botkube', tool: 'Botkube', extract };

/** `v1/pods error`, then what object of which cluster. Only errors are alerts: the others tell of every change. */
function extract({ person, message, attachments }: Reading): Alert | null {
  if (person) return null;
  const text = [blocksText(message.blocks), ...attachments.map(attachmentText), message.text]
    .filter((words) => words !== '')
    .join('\n');
  const lines = text.split('\n', 3).map((line) => bare(plain(line)));
  const head = lines.find((line) => HEAD.test(line));
  const [, , event] = HEAD.exec(head ?? '') ?? [];
  const facts = factsOf(text);
  const kind = statedValue(facts, 'kind');
  const name = statedValue(facts, 'name');
  if (head === undefined || (kind ?? name ?? statedValue(facts, 'namespace', 'cluster')) === null)
    return null;
  const title = titleOf(head);
  if (event !== 'error') return { ...blank('botkube'), title };

  const reason = statedValue(facts, 'reason', 'type');
  const about = ['namespace', 'cluster'].map((name) => [name, statedValue(facts, name) ?? ''] as const);
  const object = nameOf(kind ?? 'object');
  return {
    ...blank('botkube'),
    kind: 'firing',
    title,
    description: descriptionOf(text, title),
    triggeredAt: timeIn(plain(/<!date\^\d[^<>\n]*>/u.exec(text)?.[0] ?? '')),
    errorType: reason,
    errorMessage: messageOf(messagesIn(text)),
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

/** What stands below `Messages`, in a list or as code. */
function messagesIn(text: string): string {
  const [, below = ''] = /^\*Messages:?\*:?[ \t]*\n(.{1,4000})/msu.exec(text) ?? [];
  const end = below.search(/\n\*|\n<!date|\n\n/u);
  return plain(end < 0 ? below : below.slice(0, end))
    .replace(/```/gu, '')
    .replace(/^\s*[•-]\s+/gmu, '')
    .trim();
}
