import fc from 'fast-check';
import type { Alert } from '../../../../src/bot/alerts/types.ts';
import {
  hasItAlready,
  investigateForm,
  openItAgain,
} from '../../../../src/bot/render/alerts/investigate-this.ts';
import { attachModal, notSameModal } from '../../../../src/bot/render/alerts/split-issue.ts';
import { type WhyView, whyModal, whyOurs } from '../../../../src/bot/render/alerts/why.ts';
import { digestModal } from '../../../../src/bot/render/digest/digest-modal.ts';
import { literal } from '../../../../src/bot/render/escape.ts';
import { type EvidenceView, evidenceModal } from '../../../../src/bot/render/evidence/evidence-modal.ts';
import { chooseHeld, chooseNothing } from '../../../../src/bot/render/held/choose-held.ts';
import { askToDelete, deletionOutcome } from '../../../../src/bot/render/issues/delete-issue.ts';
import { type NewIssueForm, newIssueModal } from '../../../../src/bot/render/issues/new-issue.ts';
import { sentenceModal } from '../../../../src/bot/render/modal.ts';
import { section } from '../../../../src/bot/render/rendered.ts';
import { promptModal, resultsModal } from '../../../../src/bot/render/results/results-modal.ts';
import { namingModal } from '../../../../src/bot/render/settings/naming.ts';
import { senderModal } from '../../../../src/bot/render/settings/senders.ts';
import { settingsModal } from '../../../../src/bot/render/settings/settings-modal.ts';
import { unwatchModal } from '../../../../src/bot/render/settings/unwatch-modal.ts';
import * as some from './inputs.ts';
import { heldProblem, results } from './messages.ts';
import { type Renderer, renderer } from './renderer.ts';

const { number, text, reason, flag, maybe, list, at } = some;

const about = fc.record({ issueId: fc.uuid(), channel: fc.constant('C0HOME'), number: maybe(number) });
const repeat = fc.record({
  channel: fc.constant('C0HOME'),
  ts: some.ts,
  at,
  title: text,
  url: some.url,
  readsTheSame: flag,
});
const alert: fc.Arbitrary<Alert> = fc.record({
  kind: fc.constantFrom('firing', 'resolved', 'not_an_alert'),
  format: fc.constantFrom('alertmanager', 'generic'),
  title: maybe(text),
  description: maybe(text),
  severity: maybe(some.severity),
  environment: maybe(text),
  service: maybe(text),
  triggeredAt: maybe(text),
  alertUrl: maybe(some.url),
  host: maybe(text),
  region: maybe(text),
  version: maybe(text),
  traceId: maybe(text),
  spanId: maybe(text),
  errorType: maybe(text),
  errorMessage: maybe(text),
  tags: list(text),
  fingerprint: maybe(text),
});
const would = fc.record({ decision: text, reason });
const why: fc.Arbitrary<WhyView> = fc.record({
  alert,
  tool: maybe(text),
  sender: maybe(text),
  identity: maybe(text),
  record: maybe(fc.record({ decision: text, reason, at, outcome: maybe(text) })),
  missed: maybe(fc.record({ why: fc.constant('It came before I was here.'), would: maybe(would) })),
  issue: maybe(some.reference),
  hold: maybe(fc.record({ reason: text, state: text })),
});
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Argentina/ComodRivadavia');
const digest = fc.record({
  channel: some.channel,
  form: fc.record({
    days: fc.constantFrom('daily', 'weekdays', 'monday'),
    time: fc.constantFrom('09:00', '23:59'),
    zone,
    hygiene: flag,
  }),
  zones: fc.record({ own: zone, set: maybe(zone) }),
  nextAt: maybe(at),
  sent: flag,
  metadata: some.metadata,
});
const form: fc.Arbitrary<NewIssueForm> = fc.record({
  texts: some.sparse({
    title: text,
    description: text,
    service: text,
    alertUrl: text,
    tags: text,
    metadata: text,
  }),
  severity: some.severity,
  environment: maybe(text),
  triggeredAt: maybe(fc.integer({ min: 0, max: 9_999_999_999 })),
  channel: maybe(fc.constant('C0HOME')),
});
const newIssue = fc.record({
  form,
  environments: list(text),
  unfolded: flag,
  hasPlace: flag,
  metadata: some.metadata,
  simulated: flag,
});
const investigate = fc.record({
  fields: fc.record({
    title: text,
    description: text,
    environment: text,
    service: text,
    alertUrl: text,
    host: text,
    errorMessage: text,
  }),
  severity: some.severity,
  before: maybe(some.reference),
  remember: some.metadata,
  simulated: flag,
});
const kind = fc.record({
  id: fc.constantFrom('0', '1', '2'),
  messages: number,
  heading: text,
  examples: fc.array(text, { minLength: 1, maxLength: 2 }),
  is: fc.constantFrom('trouble' as const, 'recovery' as const, 'no_alert' as const),
  ends: fc.subarray(['0', '1']),
  parts: fc.uniqueArray(
    fc.record({
      key: fc.constantFrom('1.0', '1.2', '2.1'),
      label: maybe(text),
      values: fc.array(text, { minLength: 1, maxLength: 5 }),
      mayBeState: flag,
    }),
    { selector: ({ key }) => key, maxLength: 3 },
  ),
  objects: fc.subarray(['1.0', '1.2']),
  isSure: flag,
});
const sender = fc.record({
  id: fc.constantFrom('a1b2c3d4e5f6', '0123456789ab'),
  name: text,
  messages: number,
  kinds: fc.uniqueArray(kind, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
  confirmed: maybe(fc.record({ by: some.userId, at })),
});
const settings = fc.record({
  channel: some.channel,
  watched: flag,
  form: fc.record({
    mode: fc.constantFrom('automatic', 'suggest'),
    people: flag,
    include: text,
    exclude: text,
    minimumSeverity: some.severity,
    environment: text,
    defaultSeverity: some.severity,
    onRecovery: fc.constantFrom('note', 'resolve'),
    budgetIssues: fc.constantFrom('', '10'),
    budgetMinutes: fc.constantFrom('', '10'),
    coolDownMinutes: fc.constantFrom('', '30'),
    recoveryMinutes: fc.constantFrom('', '2'),
    broadcast: flag,
    tickets: flag,
  }),
  notes: fc.record({ include: list(text), exclude: list(text) }),
  defaultEnvironment: text,
  senders: maybe(fc.uniqueArray(sender, { selector: ({ id }) => id, maxLength: 2 })),
  metadata: some.metadata,
});
const shown: fc.Arbitrary<EvidenceView['shown']> = fc.oneof(
  fc.record({
    state: fc.constant('kept'),
    artifact: some.artifact,
  }),
  fc.record({ state: fc.constantFrom('awaited', 'missing') }),
  fc.record({ state: fc.constant('failed'), problem: text }),
);
const evidence = fc.record({
  place: fc.record({
    owner: fc.uuid(),
    version: number,
    index: fc.nat({ max: 140 }),
    channel: fc.constant('C0HOME'),
  }),
  number: maybe(number),
  title: text,
  entries: fc.array(
    fc.record({
      use: fc.constantFrom('counts', 'ruled_out', 'graph', 'timeline', 'answer'),
      title: text,
      description: text,
      dataType: text,
      about: text,
    }),
    { minLength: 1, maxLength: 130, size: 'max' },
  ),
  shown,
  rawJson: fc.constantFrom('offered', 'asked', null),
  simulated: flag,
});
const sentence = text.map((said) => ({
  text: literal(said),
  blocks: [section(`It says: ${literal(said)}`)],
}));
const outcome = fc.oneof(fc.constantFrom('under_way', 'deleted', 'gone'), fc.record({ failed: text }));
const page = fc.record({ page: fc.nat({ max: 9 }), channel: fc.constant('C0HOME'), latest: number });

/** What opens over Slack. */
export const modals: Renderer[] = [
  renderer(notSameModal, about, fc.array(repeat, { minLength: 1, maxLength: 120 })),
  renderer(attachModal, about, list(fc.record({ number, title: text }))),
  renderer(chooseHeld, fc.record({ hold: fc.uuid(), channel: fc.constant('C0HOME') }), list(heldProblem)),
  renderer(chooseNothing),
  renderer(
    askToDelete,
    some.named,
    some.metadata,
    maybe(fc.record({ messages: fc.nat(), answers: fc.nat(), files: fc.nat() })),
  ),
  renderer(deletionOutcome, number, outcome),
  renderer(digestModal, digest),
  renderer(evidenceModal, evidence),
  renderer(investigateForm, investigate),
  renderer(hasItAlready, some.reference, flag, maybe(text)),
  renderer(openItAgain),
  renderer(
    namingModal,
    fc.constant('C0HOME'),
    fc.record({
      reach: fc.constantFrom('anywhere', 'private'),
      model: maybe(fc.record({ name: text, host: text })),
      metadata: fc.constant('{}'),
    }),
  ),
  renderer(newIssueModal, newIssue),
  renderer(promptModal, fc.record({ number: maybe(number), action: text, prompt: text })),
  renderer(
    resultsModal,
    fc.oneof(
      results,
      results.map((view) => ({ ...view, results: null })),
    ),
    page,
  ),
  renderer(sentenceModal, sentence),
  renderer(settingsModal, settings),
  renderer(senderModal, sender, fc.record({ metadata: some.metadata, states: fc.constantFrom([], ['1.0']) })),
  renderer(unwatchModal, fc.constant('C0HOME')),
  renderer(whyModal, why),
  renderer(whyOurs),
];
