import type { IssueNumber } from '../../shared/issue-number.ts';
import type { ProgramStatus } from '../admin/status.ts';
import type { MemberView } from '../issues/incident.ts';
import type { Rendered } from '../rendered.ts';
import type { SetupSteps } from '../setup/setup.ts';

/** What one person's Home shows; all texts are untrusted, moments in milliseconds. */
export interface HomePageView {
  /** The outcome of what the person just did here. */
  note: Rendered | null;
  /** The first steps of a new installation; `null` once they are done. */
  setup: SetupSteps | null;
  counts: Record<HomeGroup, number>;
  issues: readonly HomeIssue[];
  /** From 0. */
  page: number;
  pages: number;
  /** Watched channels that the person may see. */
  channels: readonly HomeChannel[];
  paused: { by: string; at: number } | null;
  /** For admins; `null` for others. */
  program: ProgramStatus | null;
  degraded: readonly string[];
  simulated: boolean;
}

export type HomeGroup = 'failed' | 'ready' | 'unexplained' | 'investigating' | 'muted';

export interface HomeIssue {
  issueId: string;
  number: IssueNumber | null;
  title: string;
  group: HomeGroup;
  status: string;
  severity: string;
  environment: string;
  service: string | null;
  /** The root cause in one line, once it is known. */
  cause?: string | null;
  /** Of the incident that it leads. */
  symptoms?: readonly MemberView[];
  statusSince: number;
  mutedUntil: number | null;
  channel: string;
  /** A link to its card; `null` until the card is posted. */
  url: string | null;
  /** Its card or its thread was deleted in Slack, so nothing more is posted there. */
  gone: boolean;
}

export interface HomeChannel {
  id: string;
  lastAlertAt: number | null;
  held: number;
  /** Messages posted while Gumshoe was down are being read. */
  catchingUp: boolean;
}
