import type { QueryArtifact } from '../../contract/schema/query.ts';
import type { InvestigationResults } from '../../contract/schema/results.ts';
import type { IssueNumber } from '../../lib/issue-number.ts';
import type { DataVisualizationBlock } from './newer-blocks.ts';
import type { PictureView } from './results/picture.ts';
import type { OlderResults } from './results/whats-new.ts';

/** What the card in a thread shows (DESIGN section 4, *Filing*). All texts are untrusted. */
export interface CardView {
  /** Our id of the issue; goes into the buttons' values. */
  issueId: string;
  /** `null` until the service has answered the create call. */
  number: IssueNumber | null;
  title: string;
  /** Free strings: the service may send values its document does not name. */
  severity: string;
  environment: string;
  service: string | null;
  /** The service's status, or what is in its place: `filing` (not yet created), `failed` (creating failed for good), `deleted` (gone at the service). */
  status: string;
  /** Why filing or investigating failed, as a sentence for a person. */
  failure: string | null;
  /** Milliseconds since the epoch. */
  statusSince: number;
  /** Display name of the tool, e.g. `Alertmanager`; or `null` for a person's request. */
  source: string | null;
  alertUrl: string | null;
  repeats: number;
  lastRepeatAt: number | null;
  /** When the tool said the alert recovered. */
  recoveredAt: number | null;
  /** One line, e.g. who changed the status last; with `<@U…>` built by us, so already safe mrkdwn. `null` for none. */
  lastAction: { userId: string; what: string; at: number } | null;
  /** The severity before an escalation raised it to the one that is shown. */
  raisedFrom: string | null;
  /** What the tool last said of the alert: acknowledged, in downtime, updated. */
  note: { text: string; at: number } | null;
  mutedUntil: number | null;
  /** Firings while muted. */
  hidden: number;
  /** The issue that the same alert had before. */
  earlier: { number: IssueNumber; resolvedAt: number; rootCause: string | null } | null;
  /** Numbers of the issues that people told apart from this one, or joined with it. */
  relations: Relations;
  /** How far people are with the remediation; `null` if there is nothing to tick. */
  progress: ProgressView | null;
  /** The investigation that somebody asked for: how far it is, or how it ended; `null` if nobody did. */
  investigation: { found: ProgressOfInvestigation } | { results: InvestigationResults } | null;
  /** Who asked for it; `null` if it was filed automatically. */
  requestedBy: string | null;
  /** What the menu beside the buttons offers. */
  offers: Offers;
  /** The embedded service behind a real Slack: the card then begins *Simulated: not your systems*. */
  simulated: boolean;
}

/** What an investigation under way has found so far. */
export interface ProgressOfInvestigation {
  overview: boolean;
  /** How many pieces of evidence count, and were ruled out. */
  evidence: number;
  ruledOut: number;
  /** How many causes and effects its graph has. */
  causes: number;
}

export interface Relations {
  attachedTo: IssueNumber | null;
  attached: IssueNumber[];
  apartFrom: IssueNumber | null;
  apart: IssueNumber[];
}

export interface Offers {
  notSame: boolean;
  attach: boolean;
  investigateAgain: boolean;
  delete: boolean;
  /** A button of its own: there is evidence to page through. */
  evidence: boolean;
  /** A button of its own: the issue that this one was told apart from. */
  attachTo: IssueNumber | null;
}

/** What is in a second channel's thread of an alert whose issue lives elsewhere (DESIGN section 4, *Filing*). */
export interface ShortCardView {
  issueId: string;
  number: IssueNumber | null;
  /** Of this channel's own message. */
  title: string;
  severity: string;
  raisedFrom: string | null;
  status: string;
  statusSince: number;
  mutedUntil: number | null;
  /** Messages of this channel that the issue counts, and when the last of them came. */
  fired: number;
  lastFiredAt: number | null;
  recoveredAt: number | null;
  note: { text: string; at: number } | null;
  /** Where the issue lives; `null` if that is private. */
  home: { channel: string; url: string | null } | null;
  lastAction: { userId: string; what: string; at: number } | null;
  notSame: boolean;
  simulated: boolean;
}

/** What an issue that lives in another, private channel shows of itself: nothing that was said there. */
export interface PrivateCardView {
  number: IssueNumber | null;
  status: string;
  severity: string;
  environment: string;
  simulated: boolean;
}

/** What a second channel hears of an investigation's end. */
export interface VerdictView {
  number: IssueNumber;
  version: number;
  /** `null` if the investigation ended without results. */
  results: InvestigationResults | null;
  failed: boolean;
  /** Where the whole of it stands; `null` if that is private. */
  home: { channel: string; url: string | null } | null;
  /** What must not be repeated: the title of an issue that lives in a private channel. */
  unsaid: string[];
  simulated: boolean;
}

/** What is posted when an investigation has ended (DESIGN section 4, *Results*). */
export interface ResultsView {
  issueId: string;
  number: IssueNumber;
  version: number;
  title: string;
  results: InvestigationResults;
  /** The causal graph, once Slack can show it; without it the graph stands there as text. */
  picture?: PictureView | null;
  /** The metrics that count as charts, those that Slack can show by now; at most two are shown. */
  charts?: readonly ChartView[];
  /** Whether the results refer to evidence that can be paged through. */
  evidence?: boolean;
  /** The version before, to say what changed. */
  before?: OlderResults | null;
  /** Where people tick the steps off; absent where these are shown to one person alone. */
  checklist?: ChecklistView;
  simulated: boolean;
}

/** A metric as people see it. */
export interface ChartView {
  /** `null` if Slack has no picture of it, and will have none. */
  picture: PictureView | null;
  /** The same as Slack draws it itself, for when it can show no picture. */
  drawn: DataVisualizationBlock | null;
}

/** What people have done of a remediation. */
export interface ChecklistView {
  /** One list an action, in the order of the results. */
  steps: readonly (readonly StepView[])[];
  progress: ProgressView | null;
  /** Nothing that must be done is left, and the issue is not closed yet. */
  offersResolve: boolean;
}

export interface StepView {
  key: string;
  /** `by` is `null` if a mention would notify somebody once more; `at` in milliseconds. */
  done: { by: string | null; at: number } | null;
}

export interface ProgressView {
  done: number;
  total: number;
  requiredDone: number;
  required: number;
  /** Nothing that must be done is left. */
  complete: boolean;
  /** Who did the newest of them. */
  last: { by: string; at: number } | null;
}

/** One answer of the agent, growing or whole (DESIGN section 4, *Asking*). */
export interface AnswerView {
  questionId: string;
  /** Who asked, shown where it was not the thread's starter. */
  askedBy: string | null;
  /** The question, shown if nobody else can see it (a command's); untrusted. */
  question: string | null;
  /** Markdown as the agent wrote it; untrusted. Empty while nothing has arrived. */
  answer: string;
  artifacts: QueryArtifact[];
  state: 'queued' | 'growing' | 'complete' | 'failed' | 'stopped';
  /** While queued: how many questions of its thread are answered first; 0 if it waits for a free place. */
  ahead: number;
  /** While growing: how long the agent has been at work; while queued, how long it has waited. In milliseconds. */
  elapsedMs: number;
  /** Who stopped it. */
  stoppedBy: string | null;
  /** A sentence for a person: why it failed, or that the conversation was started again. */
  note: string | null;
  /** What its readers may not see was left out: a part, all, or all for what the thread asked before. */
  withheld?: 'part' | 'all' | 'thread' | null;
  /** Replies in its thread are questions, and it is the thread’s first answer: it offers *Stop listening*. */
  listening: boolean;
  /** Links to the cards of issues that the answer names and its readers may see, by number. */
  issueLinks: Readonly<Record<IssueNumber, string>>;
  simulated: boolean;
}
