import { withoutPodHashes } from '../details.ts';
import { type Fact, factsOf, fromLabels, normalizedName, statedValue, tagsFrom } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentText, blocksText, type MessageContent } from '../message.ts';
import { linksOf, plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { severityOf } from '../state.ts';
import { type Alert, emptyAlert } from '../types.ts';

const HEAD = /^Prometheus (?:Alert )?(Firing|resolved)\b\s*(\w*)/iu;
/** Where an alert's labels begin, among what playbooks add. */
const LABELS = /\*Alert labels\*[^\n]*\n/u;
/** Labels that say where the measurement came from. */
const SCRAPED = new Set(['job', 'alertname', 'prometheus', 'endpoint', 'container', 'uid']);

/** Robusta, where it passes on an alert of Prometheus'. */
export const robusta: Format = { name: 'robusta', tool: 'Robusta', extract };

/** The state and the severity in one line, the alert's name in the next, its words and labels below. */
function extract(content: MessageContent): Alert | null {
  const { person, message, attachments, buttons } = content;
  if (person) return null;
  const text = blocksText(message.blocks);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const at = lines.findIndex((line) => HEAD.test(withoutMarkup(plainText(line))));
  const [, state, severity = ''] = HEAD.exec(withoutMarkup(plainText(lines[at] ?? ''))) ?? [];
  if (state === undefined) return null;

  const named = withoutMarkup(plainText(lines[at + 1] ?? '')) || withoutMarkup(plainText(message.text));
  const name = named.replace(/^\[RESOLVED\] /u, '');
  const title = toTitle(name);
  const facts = factsOf(text);
  const source = statedValue(facts, 'source');
  const details = wordsOf(message.blocks);
  const labels = labelsOf(attachments.map(attachmentText).concat(text).join('\n'));
  const { fields, used } = fromLabels(labels);
  const open = buttons.find(({ label }) => /^investigate\b/iu.test(label ?? ''));
  return {
    ...emptyAlert('robusta'),
    ...fields,
    kind: state.toLowerCase() === 'firing' ? 'firing' : 'resolved',
    title,
    description: toDescription([text, ...attachments.map(attachmentText)].join('\n\n'), title),
    severity: severityOf(severity) ?? fields.severity,
    host: ofExporter(labels) ? null : fields.host,
    alertUrl: linksOf(lines[at + 1] ?? '')[0]?.url ?? open?.url ?? null,
    errorType: /\(reason: "?([A-Za-z]\w{2,80})"?\)/u.exec(details ?? '')?.[1] ?? null,
    errorMessage: toErrorMessage(details),
    tags: tagsFrom(
      labels.filter((label) => !SCRAPED.has(normalizedName(label.name))),
      used,
    ),
    fingerprint: fingerprintOf('robusta', source ?? '', withoutPodHashes(name)),
  };
}

/** The alert's own words have a block to themselves. */
function wordsOf(blocks: MessageContent['message']['blocks']): string | null {
  for (const { text } of blocks) {
    const at = text.indexOf('*Alert:*');
    if (at >= 0 && at < 40) return plainText(text.slice(at + '*Alert:*'.length)).trim();
  }
  return null;
}

/** The list below `Alert labels`, up to the next heading. */
function labelsOf(text: string): Fact[] {
  const found = LABELS.exec(text);
  if (found === null) return [];
  const list = text.slice(found.index + found[0].length).split(/\n\*|\n\n/u, 1)[0] ?? '';
  return factsOf(list);
}

/** Whether the instance is the exporter's, which speaks of other things than itself. */
function ofExporter(labels: readonly Fact[]): boolean {
  return statedValue(labels, 'job')?.includes('kube-state-metrics') ?? false;
}
