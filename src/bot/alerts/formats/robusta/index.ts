import { blank } from '../../empty-alert.ts';
import { type Fact, factsOf, nameOf } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { withoutHashes } from '../../kubernetes.ts';
import { fromLabels, statedValue } from '../../labels.ts';
import { attachmentText, blocksText, type Reading } from '../../message-content.ts';
import { severityOf } from '../../severity.ts';
import { bare, linksOf, plain } from '../../slack-text.ts';
import { tagsFrom } from '../../tags.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';

const HEAD = /^Prometheus (?:Alert )?(Firing|resolved)\b\s*(\w*)/iu;
/** Where an alert's labels begin, among what playbooks add. */
const LABELS = /\*Alert labels\*[^\n]*\n/u;
/** Labels that say where the measurement came from. */
const SCRAPED = new Set(['job', 'alertname', 'prometheus', 'endpoint', 'container', 'uid']);

/** Robusta, where it passes on an alert of Prometheus'. */
export const robusta: Format = { name: 'robusta', tool: 'Robusta', extract };

/** The state and the severity in one line, the alert's name in the next, its words and labels below. */
function extract(reading: Reading): Alert | null {
  const { person, message, attachments, buttons } = reading;
  if (person) return null;
  const text = blocksText(message.blocks);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const at = lines.findIndex((line) => HEAD.test(bare(plain(line))));
  const [, state, severity = ''] = HEAD.exec(bare(plain(lines[at] ?? ''))) ?? [];
  if (state === undefined) return null;

  const named = bare(plain(lines[at + 1] ?? '')) || bare(plain(message.text));
  const name = named.replace(/^\[RESOLVED\] /u, '');
  const title = titleOf(name);
  const facts = factsOf(text);
  const source = statedValue(facts, 'source');
  const said = wordsOf(message.blocks);
  const labels = labelsOf(attachments.map(attachmentText).concat(text).join('\n'));
  const { fields, used } = fromLabels(labels);
  const open = buttons.find(({ label }) => /^investigate\b/iu.test(label ?? ''));
  return {
    ...blank('robusta'),
    ...fields,
    kind: state.toLowerCase() === 'firing' ? 'firing' : 'resolved',
    title,
    description: descriptionOf([text, ...attachments.map(attachmentText)].join('\n\n'), title),
    severity: severityOf(severity) ?? fields.severity,
    host: ofExporter(labels) ? null : fields.host,
    alertUrl: linksOf(lines[at + 1] ?? '')[0]?.url ?? open?.url ?? null,
    errorType: /\(reason: "?([A-Za-z]\w{2,80})"?\)/u.exec(said ?? '')?.[1] ?? null,
    errorMessage: messageOf(said),
    tags: tagsFrom(
      labels.filter((label) => !SCRAPED.has(nameOf(label.name))),
      used,
    ),
    fingerprint: fingerprintOf('robusta', source ?? '', withoutHashes(name)),
  };
}

/** The alert's own words have a block to themselves. */
function wordsOf(blocks: Reading['message']['blocks']): string | null {
  for (const { text } of blocks) {
    const at = text.indexOf('*Alert:*');
    if (at >= 0 && at < 40) return plain(text.slice(at + '*Alert:*'.length)).trim();
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
