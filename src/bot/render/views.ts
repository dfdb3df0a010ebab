import type { Artifact, InvestigationResults, QueryArtifact } from '../../contract/answers.ts';
import type { IssueNumber } from '../shared/issue-number.ts';
import type { HeadView, MemberView } from './issues/incident.ts';
import type { NoteView } from './issues/notes.ts';
import type { TicketView } from './issues/ticket.ts';
import type { LastTimeView } from './results/last-time.ts';

/** What the card in a thread shows. All texts are untrusted. */
export interface CardView {
  /** Our id of the issue; goes into the buttons' values. */
  issueId: string;
  /** `null` until the service has answered the create call. */
  number: IssueNumber | null;
  title: string;
  /** Free strings: the service may send values that its contract does not list. */
  severity: string;
  environment: string;
  service: string | null;
  /** The service's status, or `filing` (not yet created), `failed` (could not be created), `deleted` (deleted at the service). */
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
  /** The tool's last update about the alert: acknowledged, in downtime, updated. */
  note: { text: string; at: number } | null;
  mutedUntil: number | null;
  /** Firings while muted. */
  hidden: number;
  /** The issue that the same alert had before. */
  earlier: { number: IssueNumber; resolvedAt: number; rootCause: string | null } | null;
  /** Numbers of the issues that were split off from this one, or attached to it. */
  relations: Relations;
  /** Progress of the remediation; `null` if there are no steps. */
  progress: ProgressView | null;
  notes?: readonly NoteView[];
  /** Its ticket at the tracker; texts are untrusted. */
  ticket?: TicketView | null;
  /** The issue that leads its incident, or all alerts of the one that it leads itself. */
  incident?: { head: HeadView | null; members: readonly MemberView[] };
  /** It fires more often than it is looked at: how often in how many minutes, and what the looks found; untrusted. */
  flapping?: { times: number; minutes: number; causes: readonly string[] } | null;
  /** Of its service, and of the place that its verdict names. */
  owners?: readonly OwnerView[];
  /** Where people read what to do. */
  runbooks?: readonly RunbookLink[];
  /** How often the same problem was seen before, in one line; `null` if never, as far as the channel may know. */
  seen?: string | null;
  /** What became of its verdict, and of others like it in its channel; `null` without a verdict. */
  record?: RecordView | null;
  /** Progress or outcome of an investigation that somebody requested, else `null`. */
  investigation: { found: ProgressOfInvestigation } | { results: InvestigationResults } | null;
  /** Who asked for it; `null` if it was filed automatically. */
  requestedBy: string | null;
  /** Entries of the menu beside the buttons. */
  offers: Offers;
  /** The embedded service behind a real Slack: the card then begins *Simulated: not your systems*. */
  simulated: boolean;
}

/** Whether a card asks if its verdict was right, what somebody said, and how often such verdicts were right. */
export interface RecordView {
  asks: boolean;
  said: 'yes' | 'nearly' | 'no' | 'other' | null;
  saidBy: string | null;
  /** Untrusted. */
  confidence: string;
  standing: { right: number; of: number } | null;
}

/** What a card shows of an issue with which nothing has happened yet. */
export const UNTOUCHED = {
  failure: null,
  recoveredAt: null,
  lastAction: null,
  raisedFrom: null,
  note: null,
  mutedUntil: null,
  hidden: 0,
  earlier: null,
  relations: { attachedTo: null, attached: [], apartFrom: null, apart: [] },
  progress: null,
  investigation: null,
  requestedBy: null,
} satisfies Partial<CardView>;

/** The findings of a running investigation so far. */
export interface ProgressOfInvestigation {
  overview: boolean;
  /** How much evidence supports the verdict, and how much was ruled out. */
  evidence: number;
  ruledOut: number;
  /** How many causes and effects its graph has. */
  causes: number;
}

/** Who owns a service; texts are untrusted. Nobody is mentioned. */
export interface OwnerView {
  /** What the verdict names; `null` for the issue's own service. */
  of: string | null;
  name: string;
  /** `until` and `asOf` in milliseconds. */
  onCall: { names: readonly string[]; until: number | null; asOf: number } | null;
  /** To ask in; `null` if none is known. */
  channel: string | null;
}

/** A runbook's page; texts are untrusted, and the address leads where its author says. */
export interface RunbookLink {
  /** `null` for the page that the alert links to, of which no more is known. */
  title: string | null;
  url: string;
}

/** A runbook's steps beside the results; texts are untrusted. */
export interface RunbookView {
  title: string;
  url: string | null;
  steps: readonly {
    /** What it is under; empty for nothing. */
    heading: string;
    number: string;
    text: string;
    /** What the evidence says of what it names. */
    answers: readonly string[];
  }[];
}

export interface Relations {
  attachedTo: IssueNumber | null;
  attached: IssueNumber[];
  apartFrom: IssueNumber | null;
  apart: IssueNumber[];
}

/** Whom a page wakes, and by which tool. */
export interface PageView {
  owner: string;
  tool: string;
  onCall: OwnerView['onCall'];
}

export interface Offers {
  catchUp?: boolean;
  notSame: boolean;
  attach: boolean;
  investigateAgain: boolean;
  delete: boolean;
  /** Shows the *Ticket* button: there is a tracker, and no ticket of it. */
  ticket?: boolean;
  askOwner?: boolean;
  /** Shows the *Page* button: whom it wakes. */
  page?: PageView | null;
  evidence: boolean;
  /** Shows the *Attach* button: the issue that this one was split off from. */
  attachTo: IssueNumber | null;
}

/** The card in a second channel's thread, for an alert whose issue lives elsewhere. */
export interface ShortCardView {
  issueId: string;
  number: IssueNumber | null;
  /** Of the message in this channel. */
  title: string;
  severity: string;
  raisedFrom: string | null;
  status: string;
  statusSince: number;
  mutedUntil: number | null;
  /** How many messages of this channel the issue counts, and when the last one arrived. */
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

/** An issue of another, private channel, without anything that was said there. */
export type PrivateCardView = Pick<CardView, 'number' | 'status' | 'severity' | 'environment' | 'simulated'>;

export interface VerdictView {
  number: IssueNumber;
  version: number;
  /** `null` if the investigation ended without results. */
  results: InvestigationResults | null;
  failed: boolean;
  /** A link to the full results; `null` if they are in a private channel. */
  home: { channel: string; url: string | null } | null;
  /** Text that must not appear: the title of a private channel's issue. */
  withheld: string[];
  simulated: boolean;
}

/** The results of an investigation, as posted. */
export interface ResultsView {
  issueId: string;
  number: IssueNumber;
  version: number;
  title: string;
  results: InvestigationResults;
  /** The metrics that support the verdict, as far as they are there; at most two are drawn. */
  metrics?: readonly Artifact[];
  evidence?: boolean;
  /** The previous version, to say what changed; `isSame` if its cause is the same. */
  before?: { version: number; results: InvestigationResults; isSame?: boolean } | null;
  /** What the same alert was found to have before. */
  last?: LastTimeView | null;
  /** Runbooks about the issue that have steps. */
  runbooks?: readonly RunbookView[];
  /** Who is hit most; absent where others than the readers of the alert's thread may see it. */
  customers?: InvestigationResults['customers'];
  /** Open issues about what the results name although they found no cause; names are untrusted. */
  openAbout?: readonly { name: string; number: IssueNumber }[];
  /** What the next minutes show if the verdict is right, and whether they did; when, in milliseconds. */
  prediction?: { sentence: string; outcome: string | null; at: number | null } | null;
  notes?: readonly NoteView[];
  /** The checklist; absent if the results are shown to one person only. */
  checklist?: ChecklistView;
  simulated: boolean;
}

export interface ChecklistView {
  /** One list per action, in the order of the results. */
  steps: readonly (readonly StepView[])[];
  progress: ProgressView | null;
  /** All required steps are done, and the issue is still open. */
  offersResolve: boolean;
}

export interface StepView {
  key: string;
  /** `by` is `null` if a mention would notify the person again; `at` in milliseconds. */
  done: { by: string | null; at: number } | null;
}

export interface ProgressView {
  done: number;
  total: number;
  requiredDone: number;
  required: number;
  /** All required steps are done. */
  complete: boolean;
  /** Who did the last of them. */
  last: { by: string; at: number } | null;
}

/** An answer of the agent, in progress or complete. */
export interface AnswerView {
  questionId: string;
  /** Who asked, shown if it was not the person who started the thread. */
  askedBy: string | null;
  /** The question, shown if nobody else can see it (a command's); untrusted. */
  question: string | null;
  /** Markdown as the agent wrote it; untrusted. Empty while nothing has arrived. */
  answer: string;
  artifacts: QueryArtifact[];
  /** The series among them that were asked for. */
  metrics?: readonly Artifact[];
  state: 'queued' | 'growing' | 'complete' | 'failed' | 'stopped';
  /** While queued: how many questions of its thread come first; 0 if it waits for a free slot. */
  ahead: number;
  /** How long the agent has been working or, while queued, how long the question has waited. In milliseconds. */
  elapsedMs: number;
  stoppedBy: string | null;
  /** A sentence for a person: why it failed, or that the conversation was started again. */
  note: string | null;
  /** Whether it offers *Stop listening*: replies in its thread are questions, and it is the first answer there. */
  listening: boolean;
  /** Links to the cards of issues that the answer names and its readers may see, by number. */
  issueLinks: Readonly<Record<IssueNumber, string>>;
  simulated: boolean;
}
