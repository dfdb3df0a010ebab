import type { QueryArtifact } from '../service/schema/query.ts';
import type { InvestigationResults } from '../service/schema/results.ts';

/** What the card in a thread shows (DESIGN section 4, *Filing*). All texts are untrusted. */
export interface CardView {
  /** Our id of the issue; goes into the buttons' values. */
  issueId: string;
  /** `null` until the service has answered the create call. */
  number: number | null;
  title: string;
  /** Free strings: the service may send values its document does not name. */
  severity: string;
  environment: string;
  service: string | null;
  /** The service's status, or what stands in its place: `filing` (not yet created), `failed` (creating failed for good), `deleted` (gone at the service). */
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
  /** The embedded service behind a real Slack: the card then begins *Simulated: not your systems*. */
  simulated: boolean;
}

/** What is posted when an investigation has ended (DESIGN section 4, *Results*). */
export interface ResultsView {
  issueId: string;
  number: number;
  version: number;
  title: string;
  results: InvestigationResults;
  simulated: boolean;
}

/** One answer of the agent, growing or whole (DESIGN section 4, *Asking*). */
export interface AnswerView {
  questionId: string;
  /** Who asked, shown where it was not the thread's starter. */
  askedBy: string | null;
  /** The question, shown where nobody else can see it (a command's); untrusted. */
  question: string | null;
  /** Markdown as the agent wrote it; untrusted. Empty while nothing has arrived. */
  answer: string;
  artifacts: QueryArtifact[];
  state: 'queued' | 'growing' | 'complete' | 'failed';
  /** A sentence for a person: why it failed, or that the conversation was started anew. */
  note: string | null;
  simulated: boolean;
}
