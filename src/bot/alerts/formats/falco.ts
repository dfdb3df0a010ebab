import { statedValue, tagWords } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { type Attachment, attachmentText, fieldFacts, type MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle } from '../slack-text.ts';
import { severityOf } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';

/** Falco, by way of Falcosidekick. */
export const falco: Format = { name: 'falco', tool: 'Falco', extract };

/** An event of a rule: fields in small letters, with the rule's own output as the text. */
function extract({ person, names, attachments }: MessageContent): Alert | null {
  if (person) return null;
  const part = attachments.find((one) => isFalcos(one, names));
  if (part === undefined) return null;
  const facts = fieldFacts(part);
  const rule = statedValue(facts, 'rule') ?? '';
  const base = { ...emptyAlert('falco'), title: toTitle(rule) };
  // What the sidekick sends to prove that it can.
  if (/^test rule$/iu.test(rule)) return base;

  const host = statedValue(facts, 'hostname');
  const priority = statedValue(facts, 'priority') ?? '';
  const pod = statedValue(facts, 'k8s pod name') ?? statedValue(facts, 'container name') ?? '';
  return {
    ...base,
    kind: 'firing',
    description: toDescription(attachmentText({ ...part, footer: '' }), base.title),
    // Falco's own second level of eight, above critical.
    severity: /^alert$/iu.test(priority) ? 'high' : severityOf(priority),
    triggeredAt: timestampIn(statedValue(facts, 'time') ?? ''),
    host,
    errorType: base.title,
    errorMessage: toErrorMessage(plainText(part.text || part.fallback)),
    tags: tagWords(statedValue(facts, 'tags') ?? ''),
    fingerprint: fingerprintOf('falco', rule, host ?? '', pod),
  };
}

function isFalcos({ fields, footer }: Attachment, names: readonly string[]): boolean {
  const titles = new Set(fields.map(({ title }) => title));
  const signed =
    footer.includes('github.com/falcosecurity/falcosidekick') || names.some((name) => /^falco/iu.test(name));
  return (
    titles.has('rule') && (signed || (titles.has('priority') && titles.has('source') && titles.has('time')))
  );
}
