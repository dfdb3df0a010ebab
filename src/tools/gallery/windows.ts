import type { View } from '@slack/types';
import { digestModal } from '../../bot/render/digest/digest-modal.ts';
import { evidenceModal } from '../../bot/render/evidence/evidence-modal.ts';
import { chooseHeld } from '../../bot/render/held/choose-held.ts';
import { renderHome } from '../../bot/render/home/home.ts';
import { askToDelete } from '../../bot/render/issues/delete-issue.ts';
import { newIssueModal } from '../../bot/render/issues/new-issue.ts';
import type { Rendered } from '../../bot/render/rendered.ts';
import { promptModal, resultsModal } from '../../bot/render/results/results-modal.ts';
import { settingsModal } from '../../bot/render/settings/settings-modal.ts';
import { unwatchModal } from '../../bot/render/settings/unwatch-modal.ts';
import type { Artifact } from '../../contract/answers.ts';
import { answerEntries } from './answers.ts';
import { type GalleryEntry, galleryEntries, renderEntry } from './entries.ts';

/** A modal or a Home, as one renderer makes it. */
interface GalleryView {
  /** A path below `src/bot/render`. */
  renderer: string;
  name: string;
  view: View;
}

const AT = Date.UTC(2026, 5, 2, 14, 28);
const CHANNEL = 'C0ALERTS01';
const TITLE = 'Checkout answers 502 & <slow>';
const issue = { issueId: 'issue-12', number: 12, title: TITLE };

function ofResults({ name, view, artifacts }: GalleryEntry): GalleryView[] {
  const opened = { page: 0, channel: CHANNEL, latest: view.version };
  return [
    { renderer: 'results/results-modal', name, view: resultsModal(view, opened) },
    ...artifacts.map((artifact) => ({
      renderer: 'evidence/evidence-modal',
      name: `${artifact.type} of ${name}`,
      view: evidence(artifact),
    })),
  ];
}

function evidence(artifact: Artifact): View {
  const about = { title: 'Requests fail', description: 'From 14:21 on.', about: 'checkout' };
  return evidenceModal({
    place: { owner: 'issue-12', version: 1, index: 0, channel: CHANNEL },
    number: 12,
    title: TITLE,
    entries: [{ use: 'counts', dataType: artifact.type ?? 'unknown', ...about }],
    shown: { state: 'kept', artifact },
    rawJson: 'offered',
    simulated: false,
  });
}

function home(): View {
  return renderHome({
    note: null,
    setup: { service: true, simulated: false, watching: true, filed: true, verdict: true, asked: false },
    counts: { failed: 0, ready: 1, unexplained: 0, investigating: 0, muted: 0 },
    issues: [
      {
        ...issue,
        group: 'ready',
        status: 'ready_to_fix',
        severity: 'high',
        environment: 'production',
        service: 'checkout',
        statusSince: AT,
        mutedUntil: null,
        channel: CHANNEL,
        url: 'https://acme.slack.com/archives/C0ALERTS01/p1780410480000100',
        gone: false,
      },
    ],
    page: 0,
    pages: 2,
    channels: [{ id: CHANNEL, lastAlertAt: AT, held: 2, catchingUp: false }],
    paused: { by: 'U0ALICE001', at: AT },
    program: null,
    degraded: [],
    simulated: true,
  });
}

function settings(): View {
  return settingsModal({
    channel: CHANNEL,
    watched: true,
    form: {
      mode: 'suggest',
      people: true,
      include: '/5xx/',
      exclude: 'staging',
      minimumSeverity: 'low',
      environment: '',
      defaultSeverity: 'medium',
      onRecovery: 'note',
      budgetIssues: '20',
      budgetMinutes: '60',
      coolDownMinutes: '30',
      recoveryMinutes: '2',
      broadcast: false,
    },
    notes: { include: ['matches 3 of the last 50 messages'], exclude: [] },
    defaultEnvironment: 'production',
    metadata: CHANNEL,
  });
}

function newIssue(unfolded: boolean): View {
  return newIssueModal({
    form: {
      texts: { title: TITLE },
      severity: 'high',
      environment: 'production',
      triggeredAt: AT / 1000,
      channel: CHANNEL,
    },
    environments: ['production', 'staging'],
    unfolded,
    hasPlace: true,
    metadata: '{}',
    simulated: false,
  });
}

/** Modals of every kind of form, the results and the evidence of each entry, and a Home. */
export async function galleryViews(): Promise<GalleryView[]> {
  return [
    { renderer: 'home/home', name: 'one open issue', view: home() },
    { renderer: 'issues/new-issue', name: 'what is needed', view: newIssue(false) },
    { renderer: 'issues/new-issue', name: 'every field', view: newIssue(true) },
    {
      renderer: 'issues/delete-issue',
      name: 'an issue with a title',
      view: askToDelete(issue, '{}', null),
    },
    { renderer: 'settings/settings-modal', name: 'a watched channel', view: settings() },
    { renderer: 'settings/unwatch-modal', name: 'a watched channel', view: unwatchModal(CHANNEL) },
    {
      renderer: 'digest/digest-modal',
      name: 'on working days',
      view: digestModal({
        channel: CHANNEL,
        form: { days: '12345', time: '09:00', zone: 'Europe/Berlin', hygiene: true },
        zones: { own: 'Europe/Berlin', set: 'UTC' },
        nextAt: AT,
        sent: false,
        metadata: CHANNEL,
      }),
    },
    {
      renderer: 'held/choose-held',
      name: 'nothing left',
      view: chooseHeld({ hold: 'hold-1', channel: CHANNEL }, []),
    },
    {
      renderer: 'results/prompt-modal',
      name: 'a long prompt',
      view: promptModal({ number: 12, action: 'Raise the pool’s size', prompt: `${TITLE}\n`.repeat(200) }),
    },
    ...(await galleryEntries()).flatMap(ofResults),
  ];
}

/** A message or a view, with its renderer (a path below `src/bot/render`). */
export type GalleryPayload = { renderer: string; name: string } & (
  | { message: Pick<Rendered, 'text' | 'blocks'> }
  | { view: object }
);

/** Every message and view of the gallery. */
export async function galleryPayloads(): Promise<GalleryPayload[]> {
  const results = (await galleryEntries()).flatMap((entry) => {
    const [card, ...parts] = renderEntry(entry);
    return [
      ...(card ? messages('issues/card', entry.name, [card]) : []),
      ...messages('results/results', entry.name, parts),
    ];
  });
  const answers = answerEntries().flatMap((entry) => messages('asking/answer', entry.name, entry.messages));
  return [...results, ...answers, ...(await galleryViews())];
}

function messages(renderer: string, name: string, rendered: readonly Rendered[]): GalleryPayload[] {
  return rendered.map(({ text, blocks }, index) => ({
    renderer,
    name: rendered.length === 1 ? name : `${name}, part ${index + 1}`,
    message: { text, blocks },
  }));
}
